import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useService } from '../harness.ts'
import { collectRoutes } from './collect-routes.ts'
import { pathsTo } from './paths.ts'
import { fill } from './things.ts'
import type { Schema } from './values.ts'

const routes = collectRoutes()
const service = useService()

/** The body has another wrapper than the answer, or the path names two things. */
const ELSEWHERE = ['/api/customers/:token/addresses/:id.json', '/api/customers/:token/devices/:id.json']

/** Line items that are sent back are compared with the stored ones, so that nobody believes to have changed them. */
const COMPARED = ['line_items']

const RUBBISH = ['rubbish', '', 4711, -1.5, true, null, [], [[1]], {}, { id: 'x' }]

/** The attributes of the answer and of the body of a route that changes something. */
function attributesOf(schema: { body?: unknown; response?: unknown }) {
  const [[wrapper, body] = ['', {}]] = Object.entries((schema.body as Schema | undefined)?.properties ?? {})
  const answer = (schema.response as Record<string, Schema>)['200']?.properties?.[wrapper]?.$ref ?? ''
  const shown = service.app.getSchemas()[answer.replace(/#$/, '')] as Schema | undefined
  return { wrapper, taken: Object.keys(body.properties ?? {}), shown: shown?.properties ?? {} }
}

/** What apps can change. The service's own pages can change more, such as the state of a customer. */
const changing = () =>
  routes()
    .filter(({ method, scopes }) => method === 'PUT' && scopes.length > 0)
    .filter(({ schema, url }) => schema.body !== undefined && !ELSEWHERE.includes(url))

test('read-only attributes in a body are ignored, whatever is in them', async () => {
  const shop = await service.openShop()
  const things = await fill(service, shop)
  assert.ok(changing().length > 15)
  for (const { url, schema } of changing()) {
    const [path = ''] = pathsTo(url, things)
    const { wrapper, taken, shown } = attributesOf(schema)
    const readOnly = Object.keys(shown).filter((name) => !taken.includes(name))
    assert.ok(readOnly.length > 0, url)
    const before = (await shop.get(path)).body[wrapper]
    for (const rubbish of RUBBISH) {
      const spoilt = Object.fromEntries(readOnly.map((name) => [name, rubbish]))
      const answer = await shop.put(path, { [wrapper]: { ...before, ...spoilt } })
      assert.equal(answer.status, 200, `${path} with ${JSON.stringify(rubbish)}: ${answer.text}`)
      const { updated_at: _now, ...after } = answer.body[wrapper]
      const { updated_at: _then, ...unchanged } = before
      assert.deepEqual(after, unchanged, `${path} with ${JSON.stringify(rubbish)}`)
    }
  }
})

test('no attribute that the reference calls read-only is taken by a body', () => {
  for (const { url, schema } of changing()) {
    const { taken, shown } = attributesOf(schema)
    const written = taken.filter((name) => !COMPARED.includes(name))
    const described = written.filter((name) => /read-only/i.test(shown[name]?.description ?? ''))
    assert.deepEqual(described, [], url)
  }
})

test('what is set once cannot be sent with a change of a product', () => {
  const product = changing().find(({ url }) => url.startsWith('/api/products'))
  const { taken } = attributesOf(product?.schema ?? {})
  assert.deepEqual(
    ['product_id', 'drm_protected', 'created_at', 'mirrored'].filter((name) => taken.includes(name)),
    [],
  )
})
