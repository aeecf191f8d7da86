import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isForCustomer } from '#oauth/scopes.ts'
import { aCustomer } from '../customers.ts'
import { useService } from '../harness.ts'
import { collectRoutes } from './collect-routes.ts'

const allRoutes = collectRoutes()
const service = useService()

const scoped = () => allRoutes().filter(({ scopes }) => scopes.length > 0)
const bodyFor = (method: string) => (method === 'POST' || method === 'PUT' ? {} : undefined)
const anyPath = (url: string) => url.replace(/:\w+/g, '1')

describe('every route with a scope', () => {
  // An app in a customer's hands gets no further than that customer, whatever it asks for.
  test('is closed to a token of a customer unless it names the scope player', async () => {
    const shop = await service.openShop()
    const { token } = await shop.asCustomer((await aCustomer(shop)).id)
    const closed = scoped().filter(({ scopes }) => !scopes.some(isForCustomer))
    assert.ok(closed.length > 100, String(closed.length))
    for (const { method, url } of closed) {
      const answer = await service.call(method, anyPath(url), { token, body: bodyFor(method) })
      assert.equal(answer.status, 403, `${method} ${url}`)
    }
  })

  test('is closed to the scope player in a token that acts for no customer', async () => {
    const shop = await service.openShop()
    const { token } = await shop.withScopes('player')
    for (const { method, url } of scoped().filter(({ scopes }) => scopes.some(isForCustomer))) {
      const answer = await service.call(method, anyPath(url), { token, body: bodyFor(method) })
      assert.equal(answer.status, 403, `${method} ${url}`)
    }
  })
})
