import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownerPage } from '#test/admin.ts'
import { aCustomer } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'

const service = useService()

describe('the filters of customers', () => {
  test('find them by state and by the time since which they are known, in lists and counts', async () => {
    const shop = await service.openShop()
    const early = await aCustomer(shop, { first_name: 'Early' })
    service.clock.advance(86_400)
    const late = await (await shop.asUser(shop.userId)).post('/api/customers.json', {
      customer: { email: 'late@example.com', password: 'a long password', first_name: 'Late' },
    })
    const page = await ownerPage(service, shop)
    await page.put(`/customers/${early.token}/state.json`, { customer: { state: 'disabled' } })
    const noon = service.clock.now().toISOString().slice(0, 11)
    const cases: [string, string[]][] = [
      ['state=disabled', [early.token]],
      ['state=enabled', [late.body.customer.token]],
      [`created_at_min=${noon}00:00:00`, [late.body.customer.token]],
      [`created_at_max=${noon}00:00:00`, [early.token]],
      ['state=disabled&q=late', []],
      ['state=enabled&q=late', [late.body.customer.token]],
    ]
    for (const [filter, tokens] of cases) {
      const { customers } = (await page.get(`/customers.json?${filter}`)).body
      assert.deepEqual(
        customers.map(({ token }: Wire) => token),
        tokens,
        filter,
      )
      assert.equal((await page.get(`/customers/count.json?${filter}`)).body.count, tokens.length, filter)
    }
    for (const filter of ['state=gone', 'created_at_min=yesterday'])
      assert.equal((await page.get(`/customers.json?${filter}`)).status, 422, filter)
  })
})
