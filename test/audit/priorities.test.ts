import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { collectRoutes } from './collect-routes.ts'

const routes = collectRoutes()
useService()

/** What a shop lives on, and what its customers have paid for. A new name of a route must not lose its priority. */
const HIGH = [
  'POST /api/orders.json',
  'POST /api/entitlements/:id/check.json',
  'POST /api/entitlements/:id/use.json',
  'POST /api/entitlements/:id/heartbeat.json',
  'POST /api/entitlements/:id/download.json',
  'POST /token',
  'POST /payments/:company/:gateway',
  'GET /cart',
  'GET /checkout',
  'POST /checkout',
  'GET /my-content',
  'GET /my-content/:id/stream/:playback/:name',
  'POST /my-content/:id/stream/:playback/license',
  'GET /read/:token/part',
  'GET /files/:company/:id/:name',
]
const ALWAYS = ['GET /health', 'GET /metrics', 'GET /ready']

describe('when there is too much to do', () => {
  const named = (priority: string) =>
    new Set(routes().flatMap((route) => (route.priority === priority ? `${route.method} ${route.url}` : [])))

  test('orders, checkout, payments and what was bought are refused last', () => {
    const high = named('high')
    assert.deepEqual(
      HIGH.filter((route) => !high.has(route)),
      [],
    )
  })

  test('monitoring is always answered, and nothing else is', () => {
    assert.deepEqual([...named('always')].filter((route) => !route.startsWith('HEAD ')).toSorted(), ALWAYS)
  })

  test('lists and pages go first, then single reads and changes', () => {
    const [low, normal] = [named('low'), named('normal')]
    for (const route of ['GET /api/products.json', 'GET /api/orders/count.json', 'GET /products/:ref'])
      assert.ok(low.has(route), route)
    for (const route of ['GET /api/products/:id.json', 'PUT /api/products/:id.json', 'POST /sign-in'])
      assert.ok(normal.has(route), route)
  })

  test('every route has a priority', () => {
    assert.deepEqual(
      routes().filter(({ priority }) => priority === undefined),
      [],
    )
  })
})
