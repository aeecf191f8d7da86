import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'

const service = useService()

describe('GET /api/tokeninfo', () => {
  test('describes the token in the query, as text', async () => {
    const shop = await service.openShop({ scopes: ['products', 'orders'] })
    const { status, body } = await service.call('GET', `/api/tokeninfo?access_token=${shop.token}`)
    const { client_id } = await service.db
      .selectFrom('apps')
      .select('client_id')
      .where('company_id', '=', shop.companyId)
      .executeTakeFirstOrThrow()
    assert.equal(status, 200)
    assert.equal(body.issued_to, client_id)
    assert.equal(body.user_id, String(shop.userId))
    assert.deepEqual(body.scope.split(',').sort(), ['orders', 'products'])
    assert.equal(body.access_type, 'offline')
    assert.equal(typeof body.expires_in, 'string')
    assert.ok(Number(body.expires_in) > 1790 && Number(body.expires_in) <= 1800, body.expires_in)
  })

  test('accepts the token in the header too', async () => {
    const shop = await service.openShop()
    assert.equal((await shop.get('/api/tokeninfo')).status, 200)
  })

  test('answers three words for an invalid token', async () => {
    const shop = await service.openShop()
    const ask = async (query: string) => (await service.call('GET', `/api/tokeninfo${query}`)).body.error
    assert.equal(await ask(''), 'access_token required')
    assert.equal(await ask('?access_token=nonsense'), 'invalid access_token')
    service.clock.advance(1801)
    assert.equal(await ask(`?access_token=${shop.token}`), 'expired')
  })
})
