import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { aCustomer } from '#test/customers.ts'
import { aPrice, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { offer } from '#test/payments.ts'
import { aClub, advanceTo, type Club, periodsOf, read, signUp } from '#test/subscriptions.ts'

const service = useService()

async function members({ shop, plan }: Club, cards: readonly string[]): Promise<Wire[]> {
  const all: Wire[] = []
  for (const test_card of cards) {
    const { token: customer_token } = await aCustomer(shop)
    all.push(await signUp(shop, { plan_id: plan.id, customer_token, test_card }))
  }
  return all
}

const stateOf = ({ status, period }: Wire) => [status, period]

describe('subscriptions that are renewed together', () => {
  test('are charged once each, whatever becomes of the others', async () => {
    const club = await aClub(service)
    const { succeeds, failsFirstRenewal } = TEST_CARDS
    const all = await members(club, [succeeds, failsFirstRenewal, succeeds, succeeds])
    await service.runJobs()
    await advanceTo(service, all[0]?.period_end, 10)
    const after = await Promise.all(all.map((one) => read(club.shop, one)))
    assert.deepEqual(after.map(stateOf), [
      ['active', 2],
      ['past_due', 1],
      ['active', 2],
      ['active', 2],
    ])
    const charged = await service.db
      .selectFrom('payments')
      .select(['order_id', 'status'])
      .where('company_id', '=', club.shop.companyId)
      .where('off_session', '=', true)
      .orderBy('id')
      .execute()
    assert.deepEqual(charged.map(({ status }) => status).sort(), ['failed', 'paid', 'paid', 'paid'])
    assert.equal(new Set(charged.map(({ order_id }) => order_id)).size, 4)
    for (const one of all) assert.equal((await periodsOf(club.shop, one)).length, 2)
  })

  test('of one customer both count in the numbers of the customer', async () => {
    const club = await aClub(service)
    const { shop, plan, customer } = club
    await offer(service, shop, { manual: { enabled: true } })
    const { body } = await shop.post('/api/groups.json', { group: { kind: 'subscription', title: 'Press' } })
    const price = await aPrice(service, shop, { currencies: [{ price: 500, currency: 'EUR' }] })
    const second = { group_id: body.group.id, title: 'Monthly', price_id: price.id, interval: 'month' }
    const other = (await shop.post('/api/plans.json', { plan: second })).body.plan
    for (const plan_id of [plan.id, other.id])
      await signUp(shop, { plan_id, customer_token: customer.token, paid: true })
    const numbers = async () => (await shop.get(`/api/customers/${customer.token}.json`)).body.customer.orders_count
    const before = await numbers()
    const [{ period_end }] = (await shop.get('/api/subscriptions.json')).body.subscriptions
    await advanceTo(service, period_end, 10)
    assert.deepEqual([before, await numbers()], [2, 4])
  })

  test('leave one that cannot be renewed to a job of its own', async () => {
    const club = await aClub(service)
    const all = await members(club, [TEST_CARDS.succeeds, TEST_CARDS.succeeds, TEST_CARDS.succeeds])
    const [first, broken, last] = all as [Wire, Wire, Wire]
    await service.runJobs()
    await service.db
      .updateTable('subscriptions')
      .set({ customer_token: 'NOBODYNOBODYNOBO' })
      .where('id', '=', broken.id)
      .execute()
    await advanceTo(service, first.period_end, 10)
    const after = await Promise.all([first, last].map((one) => read(club.shop, one)))
    assert.deepEqual(after.map(stateOf), [
      ['active', 2],
      ['active', 2],
    ])
    const { data, attempts } = await service.db
      .selectFrom('jobs')
      .select(['data', 'attempts'])
      .where('company_id', '=', club.shop.companyId)
      .where('kind', '=', 'subscription/advance')
      .executeTakeFirstOrThrow()
    assert.deepEqual([data, attempts], [{ subscription_ids: [broken.id] }, 1])
  })
})
