import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { useShopPages } from '#test/shop-pages.ts'
import { anOpenClub, pay } from '#test/sign-ups.ts'
import { advanceTo } from '#test/subscriptions.ts'

const service = useService()
const pages = useShopPages(service)

/** Access that lasts no longer than the clock stands still. */
const fresh = () => pages.shop.withScopes('orders', 'products', 'customers', 'companies', 'files')

/** Somebody joins from France. Returns what the orders say, the first one first, whenever it is asked. */
async function aMemberInFrance(email: string, business: Record<string, string> = {}) {
  const shop = await fresh()
  const { group, plan, path } = await anOpenClub(service, shop, pages.base)
  const visitor = pages.comeIn()
  await visitor.get(path)
  const details = { plan: String(plan.id), email, country: 'FR', step: 'details', ...business }
  await visitor.follow(await visitor.submit(`${path}/join`, details))
  await visitor.follow(await pay(visitor, path))
  const { subscriptions } = (await shop.get(`/api/subscriptions.json?group_id=${group.id}`)).body
  const [subscription] = subscriptions as Wire[]
  assert.ok(subscription, 'somebody has joined')
  const orders = () =>
    service.db
      .selectFrom('orders')
      .select(['country_code', 'vat_id', 'reverse_charge', 'total_cents', 'tax_cents'])
      .where('company_id', '=', shop.companyId)
      .where('subscription_id', '=', subscription.id)
      .orderBy('id')
      .execute()
  return { subscription, orders }
}

describe('the taxes of a renewal', () => {
  test('are those of the country of the customer, at the rate of the day', async () => {
    const { subscription, orders } = await aMemberInFrance('jeanne@example.com')
    const tax_rate = { country_code: 'FR', percent: 10 }
    const answer = await (await fresh()).post('/api/tax_rates.json', { tax_rate })
    assert.equal(answer.status, 201, answer.text)
    await advanceTo(service, subscription.period_end, 10)
    assert.deepEqual(
      (await orders()).map(({ country_code, total_cents, tax_cents }) => [country_code, total_cents, tax_cents]),
      [
        ['FR', 790, 132],
        ['FR', 790, 72],
      ],
    )
  })

  test('are left to a business with the VAT id that it has joined with', async () => {
    const business = { company: 'Roe', vat_id: 'FR 40 303265045' }
    const { subscription, orders } = await aMemberInFrance('roe@example.com', business)
    await advanceTo(service, subscription.period_end, 10)
    const without = ['FR40303265045', true, 0]
    assert.deepEqual(
      (await orders()).map(({ vat_id, reverse_charge, tax_cents }) => [vat_id, reverse_charge, tax_cents]),
      [without, without],
    )
  })
})
