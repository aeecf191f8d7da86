import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { aPrice, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { workOf } from '#test/payments.ts'
import { aClub, advanceTo, read, signUp, statusOf, timelineOf } from '#test/subscriptions.ts'
import { announcePrices } from './announce.worker.ts'
import { advance } from './charges/charge.worker.ts'
import { proceed } from './steps.commands.ts'

const service = useService()

const DAY = 86_400

async function aMember(attributes: object = {}, card: string = TEST_CARDS.succeeds) {
  const club = await aClub(service, attributes)
  const wish = { plan_id: club.plan.id, customer_token: club.customer.token, test_card: card }
  return { ...club, subscription: await signUp(club.shop, wish) }
}

async function aPlanBeside(shop: Shop, { group_id }: Wire, attributes: object): Promise<Wire> {
  const price = await aPrice(service, shop, { currencies: [{ price: 7900, currency: 'EUR' }] })
  const plan = { group_id, title: 'Other', price_id: price.id, interval: 'month', ...attributes }
  const answer = await shop.post('/api/plans.json', { plan })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.plan
}

async function change(shop: Shop, { id }: Wire, { id: plan_id }: Wire, at: string): Promise<Wire> {
  const answer = await shop.post(`/api/subscriptions/${id}/change_plan.json`, { plan_change: { plan_id, at } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.subscription
}

/** Gives a plan another price, of which its subscribers hear. */
async function reprice(shop: Shop, { id }: Wire, price: object): Promise<void> {
  const dearer = await aPrice(service, shop, price)
  service.clock.advance(60)
  assert.equal((await shop.put(`/api/plans/${id}.json`, { plan: { price_id: dearer.id } })).status, 200)
  service.clock.advance(60)
  await announcePrices(workOf(service))
}

const DEARER = { currencies: [{ price: 990, currency: 'EUR' }] }

describe('another plan', () => {
  test('brings its minimum term and its renewals', async () => {
    const { shop, plan, subscription } = await aMember()
    const other = await aPlanBeside(shop, plan, { minimum_periods: 3, renewals: 2 })
    const { body } = await shop.get(`/api/subscriptions/${subscription.id}/plan_change.json?plan_id=${other.id}&at=now`)
    await change(shop, subscription, other, 'now')
    await advance(workOf(service), shop.companyId, subscription.id)
    const { plan_id, committed_until, renewals_left, period_start } = await read(shop, subscription)
    assert.deepEqual([plan_id, renewals_left], [other.id, 2])
    const term = new Date(`${period_start}Z`)
    const months = new Date(`${committed_until}Z`).getTime() - term.getTime()
    assert.ok(months > 85 * DAY * 1000 && months < 95 * DAY * 1000, `${committed_until}`)
    // The change comes a moment after the question.
    const asked = Date.parse(committed_until) - Date.parse(body.plan_change.committed_until)
    assert.ok(asked >= 0 && asked < 60_000, `${asked}`)
    assert.equal(body.plan_change.renewals, 2)
    const cancelled = await shop.post(`/api/subscriptions/${subscription.id}/cancel.json`)
    assert.equal(cancelled.body.subscription.ends_at, committed_until)
  })

  test('leaves the minimum term that was agreed to before, if it is longer', async () => {
    const { shop, plan, subscription } = await aMember({ minimum_periods: 12 })
    const other = await aPlanBeside(shop, plan, { minimum_periods: 1 })
    await change(shop, subscription, other, 'period_end')
    await advanceTo(service, subscription.period_end)
    const { plan_id, committed_until } = await read(shop, subscription)
    assert.deepEqual([plan_id, committed_until], [other.id, subscription.committed_until])
  })

  test('follows a plan that does not renew any more', async () => {
    const { shop, plan, subscription } = await aMember({ renewals: 0 })
    const other = await aPlanBeside(shop, plan, {})
    await change(shop, subscription, other, 'period_end')
    await advanceTo(service, subscription.period_end)
    const { status, plan_id, renewals_left } = await read(shop, subscription)
    assert.deepEqual([status, plan_id, renewals_left], ['active', other.id, null])
  })

  test('credits what is left after any number of attempts at a change', async () => {
    const { shop, plan, subscription } = await aMember({ interval: 'year' }, TEST_CARDS.failsRenewals)
    const other = await aPlanBeside(shop, plan, {})
    for (let count = 0; count < 21; count += 1) {
      await change(shop, subscription, other, 'now')
      await advance(workOf(service), shop.companyId, subscription.id)
    }
    const { body } = await shop.get(`/api/subscriptions/${subscription.id}/plan_change.json?plan_id=${other.id}&at=now`)
    assert.equal(body.plan_change.credit, 790)
  })
})

describe('another price', () => {
  test('of a plan that cannot be converted holds up no other company', async () => {
    const [broken, fine] = [await aMember(), await aMember()]
    const elsewhere = await aPrice(service, broken.shop, { currencies: [{ price: 990, currency: 'XAF' }] })
    service.clock.advance(60)
    await broken.shop.put(`/api/plans/${broken.plan.id}.json`, { plan: { price_id: elsewhere.id } })
    await reprice(fine.shop, fine.plan, DEARER)
    assert.equal((await read(broken.shop, broken.subscription)).next_amount, null)
    assert.equal((await read(fine.shop, fine.subscription)).next_amount, 990)
  })

  test('does not count within a minimum term', async () => {
    const { shop, plan, subscription } = await aMember({ minimum_periods: 6 })
    await reprice(shop, plan, DEARER)
    const { next_amount, next_amount_from, committed_until } = await read(shop, subscription)
    assert.deepEqual([next_amount, next_amount_from], [990, committed_until])
  })

  test('can be left before it counts, whatever the minimum term', async () => {
    const { shop, plan, subscription } = await aMember()
    const other = await aPlanBeside(shop, plan, {})
    await reprice(shop, plan, DEARER)
    const { next_amount_from } = await read(shop, subscription)
    const until = new Date(Date.parse(`${subscription.period_end}Z`) + 400 * DAY * 1000)
    await service.db
      .updateTable('subscriptions')
      .set({ committed_until: until })
      .where('company_id', '=', shop.companyId)
      .where('id', '=', subscription.id)
      .execute()
    const { body } = await shop.post(`/api/subscriptions/${subscription.id}/cancel.json`)
    assert.equal(body.subscription.ends_at, next_amount_from)
    assert.ok(other.id > 0)
  })
})

describe('a reminder', () => {
  const YEARS = [
    { interval: 'year' },
    { interval: 'month', interval_count: 12 },
    { interval: 'quarter', interval_count: 4 },
    { interval: 'week', interval_count: 52 },
  ]
  test('comes before a year begins, however the plan counts it', async () => {
    const members = []
    for (const attributes of YEARS) members.push(await aMember(attributes))
    const shorter = await aMember({ interval: 'month', interval_count: 6 })
    await advanceTo(service, shorter.subscription.period_end, -DAY)
    assert.ok(!(await timelineOf(shorter.shop, shorter.subscription)).includes('reminded'))
    const [first] = members.map(({ subscription }) => subscription.period_end).toSorted()
    await advanceTo(service, first, -10 * DAY)
    for (const [index, { shop, subscription }] of members.entries())
      assert.equal((await timelineOf(shop, subscription))[0], 'reminded', JSON.stringify(YEARS[index]))
  })
})

describe('the last try of a charge', () => {
  test('that fails is told once: that the membership has ended', async () => {
    const { shop, subscription, customer } = await aMember({}, TEST_CARDS.failsRenewals)
    // Each a little later than the one before, because a day is counted from when the first try was made.
    for (const [index, day] of [0, 1, 3, 5, 7].entries())
      await advanceTo(service, subscription.period_end, day * DAY + index * 60)
    assert.equal(await statusOf(shop, subscription), 'ended')
    const mails = await service.db
      .selectFrom('mails')
      .select('subject')
      .where('company_id', '=', shop.companyId)
      .where('recipient', '=', customer.email)
      .orderBy('id')
      .execute()
    const told = mails.map(({ subject }) => subject).filter((subject) => /failed|has ended/.test(subject))
    assert.deepEqual(
      told.map((subject) => /has ended/.test(subject)),
      [false, false, false, false, true],
    )
  })

  test('whose fate is not known is asked about with the means that it began with', async () => {
    const { shop, subscription } = await aMember()
    service.clock.advance((Date.parse(`${subscription.period_end}Z`) - service.clock.now().getTime()) / 1000 + 1)
    const asked = () =>
      inTransaction(service.db, (tx) => proceed(tx, shop.companyId, subscription.id, service.clock.now()))
    const first = await asked()
    assert.ok(first?.earlier)
    // A page that was open for long saves others, before a worker has heard what became of the charge.
    await service.db
      .updateTable('subscriptions')
      .set({ means_payment_id: first.payment.id })
      .where('company_id', '=', shop.companyId)
      .where('id', '=', subscription.id)
      .execute()
    const again = await asked()
    assert.deepEqual([again?.payment.id, again?.earlier?.id], [first.payment.id, first.earlier.id])
  })
})
