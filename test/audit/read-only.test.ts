import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCustomer } from '../customers.ts'
import { aCategory, aProduct, aThemeSetting } from '../factories.ts'
import { type Shop, useService } from '../harness.ts'
import { orderOf, someGoods } from '../shipping.ts'
import { collectRoutes } from './collect-routes.ts'
import type { Schema } from './values.ts'

const routes = collectRoutes()
const service = useService()

/** Something to change, by the route that changes it. */
const OWN: Record<string, (shop: Shop) => Promise<string>> = {
  '/api/orders/:id.json': async (shop) => `/api/orders/${(await anOrder(shop)).id}.json`,
  '/api/fulfillments/:token.json': async (shop) => `/api/fulfillments/${(await anOrder(shop)).id}.json`,
  '/api/customers/:token.json': async (shop) => `/api/customers/${(await aCustomer(shop)).token}.json`,
  '/api/products/:id.json': async (shop) => `/api/products/${(await aProduct(shop)).id}.json`,
  '/api/categories/:id.json': async (shop) => `/api/categories/${(await aCategory(shop)).id}.json`,
  '/api/themesettings/:id.json': async (shop) => `/api/themesettings/${(await aThemeSetting(shop)).id}.json`,
  '/api/companies/:token.json': async (shop) => `/api/companies/${shop.companyId}.json`,
  '/api/users/:token.json': async (shop) => `/api/users/${shop.userId}.json`,
}

/** The body has another wrapper than the answer. */
const ELSEWHERE = ['/api/customers/:token/addresses/:id.json']

/** Line items that are sent back are compared with the stored ones, so that nobody believes to have changed them. */
const COMPARED = ['line_items']

const RUBBISH = ['rubbish', '', 4711, -1.5, true, null, [], [[1]], {}, { id: 'x' }]

async function anOrder(shop: Shop) {
  return orderOf(shop, [await someGoods(service, shop)])
}

/** The attributes of the answer and of the body of a route that changes something. */
function attributesOf(schema: { body?: unknown; response?: unknown }) {
  const [[wrapper, body] = ['', {}]] = Object.entries((schema.body as Schema | undefined)?.properties ?? {})
  const answer = (schema.response as Record<string, Schema>)['200']?.properties?.[wrapper]?.$ref ?? ''
  const shown = service.app.getSchemas()[answer.replace(/#$/, '')] as Schema | undefined
  return { wrapper, taken: Object.keys(body.properties ?? {}), shown: shown?.properties ?? {} }
}

const changing = () =>
  routes().filter(
    ({ method, schema, url }) => method === 'PUT' && schema.body !== undefined && !ELSEWHERE.includes(url),
  )

test('read-only attributes in a body are ignored, whatever is in them', async () => {
  const shop = await service.openShop()
  assert.ok(changing().length >= Object.keys(OWN).length)
  for (const { url, schema } of changing()) {
    const path = await OWN[url]?.(shop)
    assert.ok(path, `${url}: say in OWN what can be changed there`)
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

test('what is set once can not be sent with a change of a product', () => {
  const product = changing().find(({ url }) => url.startsWith('/api/products'))
  const { taken } = attributesOf(product?.schema ?? {})
  assert.deepEqual(
    ['product_id', 'drm_protected', 'created_at', 'mirrored'].filter((name) => taken.includes(name)),
    [],
  )
})
