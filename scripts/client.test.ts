import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { tooLarge } from './check-client.ts'
import { clientTopics, type Document, type Operation, resourcesOf } from './client.ts'

type Properties = Record<string, { type?: string }>
type Shape = { answer?: Properties; body?: Properties; session?: true; id?: string }

const json = (properties: Properties) => ({ content: { 'application/json': { schema: { properties } } } })

function operation({ answer = {}, body, session, id = 'anything' }: Shape): Operation {
  return {
    operationId: id,
    ...(body === undefined ? {} : { requestBody: json(body) }),
    responses: { 200: json(answer), 404: json({ error: {} }) },
    security: session ? [{ session: [] }] : [{ bearer: [] }],
  }
}

/** A document with these endpoints, such as `GET /api/orders.json`. */
function documentOf(endpoints: Record<string, Shape>): Document {
  const paths: Document['paths'] = {}
  for (const [endpoint, shape] of Object.entries(endpoints)) {
    const [method = '', path = ''] = endpoint.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(shape) }
  }
  return { paths, components: { schemas: {} } }
}

const list = { answer: { entries: { type: 'array' } } }
const single = { answer: { entry: { type: 'object' } } }
const wrapped = { body: { entry: { type: 'object' } } }

describe('the path of an endpoint gives its method in the client', () => {
  const named: [string, Shape, string][] = [
    ['GET /api/orders.json', list, 'orders.list'],
    ['POST /api/orders.json', wrapped, 'orders.create'],
    ['GET /api/orders/{id}.json', single, 'orders.get'],
    ['PUT /api/orders/{id}.json', wrapped, 'orders.update'],
    ['DELETE /api/orders/{id}.json', {}, 'orders.delete'],
    ['GET /api/orders/count.json', { answer: { count: { type: 'integer' } } }, 'orders.count'],
    ['GET /api/users/search.json', list, 'users.search'],
    ['POST /api/orders/{id}/refunds.json', wrapped, 'orders.refunds.create'],
    ['GET /api/customers/{token}/addresses.json', list, 'customers.addresses.list'],
    ['GET /api/customers/{token}/addresses/{id}.json', single, 'customers.addresses.get'],
    ['PUT /api/customers/{token}/addresses/{id}/default.json', {}, 'customers.addresses.default'],
    ['GET /api/marketplace/{market_id}.json', { answer: { products: { type: 'array' } } }, 'marketplace.products'],
    ['POST /api/marketplace/{market_id}/add.json', {}, 'marketplace.add'],
    ['POST /api/webhooks/{id}/test.json', { body: { topic: { type: 'string' } } }, 'webhooks.test'],
    ['POST /api/webhooks/{id}/replay.json', { body: { replay: { type: 'object' } } }, 'webhooks.replay'],
    ['GET /api/statistics/order_devices/{company_id}.json', list, 'statistics.orderDevices'],
    ['GET /api/themesettings.json', { ...list, id: 'listThemeSettings' }, 'themeSettings.list'],
    ['GET /api/discount_codes.json', list, 'discountCodes.list'],
    ['GET /admin/webhooks.json', list, 'webhooks.list'],
    ['GET /api/tokeninfo', { answer: { scope: {}, user_id: {} } }, 'tokeninfo.get'],
  ]
  for (const [endpoint, shape, expected] of named)
    test(`${endpoint}: ${expected}`, () => {
      const found = expected
        .split('.')
        .reduce<object>((at, name) => Reflect.get(at, name), resourcesOf(documentOf({ [endpoint]: shape })))
      assert.equal(Reflect.get(found, 'path'), endpoint.split(' ')[1])
    })

  test('with the keys that wrap its body and its answer', () => {
    const document = documentOf({
      'GET /api/orders.json': { answer: { orders: { type: 'array' } } },
      'POST /api/orders.json': { body: { order: { type: 'object' } }, answer: { order: { type: 'object' } } },
      'POST /api/orders/{id}/test.json': { body: { topic: { type: 'string' } }, answer: { one: {}, two: {} } },
    })
    assert.deepEqual(resourcesOf(document).orders, {
      list: { method: 'GET', path: '/api/orders.json', answer: 'orders', isList: true },
      create: { method: 'POST', path: '/api/orders.json', body: 'order', answer: 'order' },
      test: { method: 'POST', path: '/api/orders/{id}/test.json', body: '' },
    })
  })

  test('by its path under /api, where it has two', () => {
    const document = documentOf({ 'GET /admin/webhooks.json': list, 'GET /api/webhooks.json': list })
    assert.deepEqual(Object.keys(resourcesOf(document)), ['webhooks'])
    assert.match(JSON.stringify(resourcesOf(document)), /"\/api\/webhooks\.json"/)
  })

  test('unless its body is not JSON', () => {
    const document = documentOf({ 'POST /api/pictures.json': { answer: { picture: { type: 'object' } } } })
    const upload = document.paths['/api/pictures.json']?.post
    assert.ok(upload)
    upload.requestBody = { content: { 'image/png': { schema: { type: 'string' } } } }
    assert.deepEqual(resourcesOf(document), {})
  })

  test('unless only signed-in users can call it', () => {
    assert.deepEqual(resourcesOf(documentOf({ 'GET /admin/api/prices.json': { ...list, session: true } })), {})
  })

  test('and no other endpoint has it', () => {
    const products = { answer: { products: { type: 'array' } } }
    const twice = documentOf({ 'GET /api/marketplace/{id}.json': products, 'GET /api/marketplace/products.json': list })
    assert.throws(() => resourcesOf(twice), /two endpoints are called marketplace\.products/)
    const below = documentOf({ 'GET /api/a/b.json': list, 'GET /api/a/b/{id}.json': single })
    assert.throws(() => resourcesOf(below), /\/api\/a\/b\.json, which is a method/)
  })
})

test('the topics are those of the service', () => {
  const type = "export type Topics = {\n  'order/create': { type: 'order'; id: string }\n}\n"
  assert.ok(clientTopics(`/** Every topic. */\n${type}\nexport const A = {\n}\n`).endsWith(`\n\n${type}`))
  assert.throws(() => clientTopics('export type Others = {\n}\n'), /declares no type Topics/)
})

test('a client that grows too large is refused', () => {
  const bundle = new TextEncoder().encode('abc'.repeat(10))
  assert.deepEqual(tooLarge(bundle, 100), [])
  assert.match(tooLarge(bundle, 5).join(), /5 is the limit/)
  assert.match(tooLarge(new Uint8Array(), 100).join(), /is empty/)
})
