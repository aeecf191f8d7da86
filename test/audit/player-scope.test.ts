import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isForCustomer } from '#apps/oauth/scopes.facts.ts'
import { aCustomer } from '../customers.ts'
import { useService } from '../harness.ts'
import { collectRoutes, type Route } from './collect-routes.ts'

const allRoutes = collectRoutes()
const service = useService()

const scoped = () => allRoutes().filter(({ scopes }) => scopes.length > 0)

/** Some routes speak another protocol than the reference describes, so nothing but the status counts here. */
async function statusOf({ method, url }: Route, token: string): Promise<number> {
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method)
  const response = await fetch(`${service.url}${anyPath(url)}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    body: hasBody ? '{}' : null,
  })
  await response.arrayBuffer()
  return response.status
}

const anyPath = (url: string) => url.replace(/:\w+/g, '1')

describe('every route with a scope', () => {
  // An app in a customer's hands gets no further than that customer, whatever it asks for.
  test('is closed to a token of a customer unless it names the scope player', async () => {
    const shop = await service.openShop()
    const { token } = await shop.asCustomer((await aCustomer(shop)).id)
    const closed = scoped().filter(({ scopes }) => !scopes.some(isForCustomer))
    assert.ok(closed.length > 100, String(closed.length))
    for (const route of closed) {
      assert.equal(await statusOf(route, token), 403, `${route.method} ${route.url}`)
    }
  })

  test('is closed to the scope player in a token that acts for no customer', async () => {
    const shop = await service.openShop()
    const { token } = await shop.withScopes('player')
    for (const route of scoped().filter(({ scopes }) => scopes.some(isForCustomer))) {
      assert.equal(await statusOf(route, token), 403, `${route.method} ${route.url}`)
    }
  })
})
