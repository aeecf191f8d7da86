import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { FastifyInstance } from 'fastify'
import { contractOf, type Exchange, fetchHeld } from './contract.ts'
import { type Shop, useService } from './harness.ts'

const CHANNEL = 'fastify.initialization'

/** Lets a request have its response corrupted, in the service that this file starts. */
function spoilAnswers(): void {
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onSend', async (request, reply, payload) => {
      if (request.headers['x-spoil'] === 'status') reply.code(418)
      if (request.headers['x-spoil'] === 'body') return '{"count":"many"}'
      return payload
    })
  }
  subscribe(CHANNEL, listen)
  after(() => unsubscribe(CHANNEL, listen))
}

spoilAnswers()
const service = useService()

const title = 'A film'

type Read = {
  parameters?: { name: string }[]
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}
type Described = { paths: Record<string, { get?: Read }>; components: object }

/** Reads that are more than that: they sign something, give something, or are about the reader. */
const WITHOUT_FIELDS = [
  '/admin/api/app_permissions.json',
  '/admin/api/backups.json',
  '/admin/api/company/deletion.json',
  '/admin/api/company/export.json',
  '/admin/api/second_factor.json',
  '/admin/api/session.json',
  '/admin/api/sessions.json',
  '/api/entitlements/{id}/file.json',
  '/api/entitlements/{id}/key.json',
  '/api/ledger_balances.json',
  '/api/ledger_statements.json',
  '/api/license_terms.json',
  '/api/licenses/uses.json',
  '/api/mail_kinds.json',
  '/api/mails/refused_recipients.json',
  '/api/prices/uses.json',
  '/api/test_clock.json',
]

async function aProduct(shop: Shop): Promise<string> {
  const { body } = await shop.post('/api/products.json', { product: { product_type: 1, title } })
  return `/api/products/${body.product.id}.json`
}

/** A correct response, and the same one with something changed. */
async function holder(path: string, shop: Shop) {
  const { status, headers, text } = await shop.get(path)
  const hold = contractOf(() => service.app.swagger())
  return (change: Partial<Exchange>) =>
    hold({ method: 'GET', path, status, headers: new Headers(headers), text, ...change })
}

describe('an answer of the service in a test', () => {
  test('fails the call if it is not what the OpenAPI document says', async () => {
    const shop = await service.openShop()
    const count = (spoil: string) => shop.get('/api/products/count.json', undefined, { 'x-spoil': spoil })
    assert.equal((await count('nothing')).status, 200)
    await assert.rejects(count('status'), /answered 418, against the OpenAPI document: it does not know the status/)
    await assert.rejects(count('body'), /against the OpenAPI document: .*must be integer/)
  })

  test('may refuse HEAD where asking for the headers alone would do something, and nowhere else', async () => {
    const shop = await service.openShop()
    const path = '/api/entitlements/1/key.json'
    assert.equal((await service.call('HEAD', path, { token: shop.token })).status, 405)
    const held = await holder(await aProduct(shop), shop)
    held({ method: 'HEAD', text: '' })
    assert.throws(() => held({ method: 'HEAD', status: 405, text: '' }), /it does not know the status/)
  })

  test('is refused if it blames a field that the request does not have', async () => {
    const shop = await service.openShop()
    const path = '/api/orders.json'
    const sent = { order: { line_items: [{ product_id: 'x' }], customer: { email: 'x' } } }
    const { status, headers, body } = await shop.post(path, sent)
    const hold = contractOf(() => service.app.swagger())
    const blame = (field: string) =>
      hold({
        method: 'POST',
        path,
        status,
        headers,
        text: JSON.stringify({ ...body, errors: { [field]: ['is bad'] } }),
      })
    for (const field of ['email', 'customer.addresses[7].zip', 'line_items[1].quantity', 'shipping_address.country'])
      blame(field)
    for (const field of [
      'zip',
      'addresses[0].zip',
      'customer.zip',
      'order.email',
      'line_items.quantity',
      'line_items[0]x',
    ])
      assert.throws(() => blame(field), /the request has no field/)
  })

  test('is refused with a body that has a wrong, a missing or an undescribed field', async () => {
    const shop = await service.openShop()
    const path = await aProduct(shop)
    const hold = await holder(path, shop)
    const { product } = (await shop.get(path)).body
    hold({})
    const { title: _title, ...untitled } = product
    for (const wrong of [{ ...product, title: 1 }, untitled, { ...product, colour: 'red' }])
      assert.throws(() => hold({ text: JSON.stringify({ product: wrong }) }), /against the OpenAPI document/)
    hold({ path: `${path}?fields=title`, text: JSON.stringify({ product: { title } }) })
    assert.throws(() => hold({ path: `${path}?fields=title`, text: JSON.stringify({ product: { title: 1 } }) }))
  })

  test('is described with and without `fields`, so that a client which checks answers accepts both', async () => {
    const shop = await service.openShop()
    const path = await aProduct(shop)
    const { id } = (await shop.get(path)).body.product
    const document = service.app.swagger() as unknown as Described
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'api', components: document.components })
    const schemaOf = (operation: Read | undefined) => operation?.responses[200]?.content?.['application/json']?.schema
    const accepts = (name: string, body: unknown) => {
      const text = JSON.stringify(schemaOf(document.paths[name]?.get)).replaceAll('"#/', '"api#/')
      return ajv.validate(JSON.parse(text), body)
    }
    const cut = await shop.get(`${path}?fields=id`)
    assert.deepEqual(cut.body, { product: { id } })
    assert.ok(accepts('/api/products/{id}.json', cut.body), JSON.stringify(ajv.errors))
    assert.ok(accepts('/api/products.json', (await shop.get('/api/products.json?fields=id')).body))
    assert.ok(!accepts('/api/products/{id}.json', { product: { id: 'x' } }))
    const without = Object.entries(document.paths).flatMap(([name, { get }]) => {
      const isThing = JSON.stringify(schemaOf(get) ?? '').includes('"properties"')
      return get === undefined || !isThing || get.parameters?.some((one) => one.name === 'fields') ? [] : name
    })
    assert.deepEqual(without.sort(), WITHOUT_FIELDS)
  })

  test('is refused with a header that is missing or wrong', async () => {
    const shop = await service.openShop()
    const path = await aProduct(shop)
    const hold = await holder(path, shop)
    const { headers } = await shop.get(path)
    for (const name of ['content-type', 'x-request-id', 'etag', 'ratelimit-limit', 'ratelimit-reset']) {
      const others = new Headers(headers)
      others.delete(name)
      assert.throws(() => hold({ headers: others }), /against the OpenAPI document/, name)
    }
    const wrong = new Headers(headers)
    wrong.set('ratelimit-limit', 'many')
    assert.throws(() => hold({ headers: wrong }), /the header RateLimit-Limit is many/)
  })

  test('is refused without the header that says how to go on', async () => {
    const shop = await service.openShop()
    const narrow = await shop.withScopes('orders')
    const { status, headers, text } = await narrow.get('/api/products.json')
    assert.equal(status, 403)
    const others = new Headers(headers)
    others.delete('www-authenticate')
    const hold = contractOf(() => service.app.swagger())
    const forbidden = { method: 'GET', path: '/api/products.json', status, headers: others, text }
    assert.throws(() => hold(forbidden), /the header WWW-Authenticate is missing/)
    for (const [late, name] of [
      [429, 'Retry-After'],
      [503, 'Retry-After'],
      [401, 'WWW-Authenticate'],
    ] as const)
      assert.throws(() => hold({ ...forbidden, status: late }), new RegExp(`the header ${name} is missing`))
  })

  test('of a method at a path of the same form as another is that of its own path', async () => {
    const shop = await service.openShop()
    // Only GET has the path `keys/count.json`, so this is the key `count`.
    assert.equal((await shop.delete('/api/products/1/keys/count.json')).status, 404)
    const init = { method: 'DELETE', headers: { authorization: 'Bearer unknown' } }
    assert.equal((await fetchHeld(`${service.url}/api/products/1/keys/count.json`, init)).status, 401)
  })

  test('is refused at a path of the interface that the document lacks, unless nothing is there', async () => {
    const shop = await service.openShop()
    const hold = await holder('/api/products.json', shop)
    for (const path of ['/api/unknown.json', '/api/products/1/unknown.json'])
      assert.throws(() => hold({ path }), /it does not know the path/, path)
    assert.throws(() => hold({ method: 'PATCH' }), /it does not know the path/)
    hold({ path: '/api/unknown.json', status: 404 })
    hold({ path: '/health' })
  })
})
