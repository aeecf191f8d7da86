import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aPrice, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { offer } from '#test/payments.ts'
import { aClub, advanceTo, periodsOf, read, signUp, statusOf, subscriberOf } from '#test/subscriptions.ts'

const service = useService()

const DAY = 86_400

/** A club whose members pay by bill. */
async function aBilledClub(attributes: object = {}) {
  const club = await aClub(service, attributes)
  await offer(service, club.shop, { manual: { enabled: true } })
  return { ...club, wish: { plan_id: club.plan.id, customer_token: club.customer.token } }
}

async function aBilledMember(attributes: object = {}) {
  const club = await aBilledClub(attributes)
  return { ...club, subscription: await signUp(club.shop, { ...club.wish, paid: true }) }
}

/** The money has arrived, and no worker has told the subscription of it yet. */
async function payBill(shop: Shop, subscription: { id: number }): Promise<number> {
  const [period] = await periodsOf(shop, subscription)
  assert.equal((await shop.post(`/api/orders/${period?.order_id}/mark_paid.json`)).status, 200)
  return period?.order_id
}

const orderOf = async (shop: Shop, id: number): Promise<Wire> => (await shop.get(`/api/orders/${id}.json`)).body.order

async function aYearlyPlan(shop: Shop, { group_id }: Wire): Promise<Wire> {
  const price = await aPrice(service, shop, { currencies: [{ price: 7900, currency: 'EUR' }] })
  const plan = { group_id, title: 'Yearly', price_id: price.id, interval: 'year' }
  return (await shop.post('/api/plans.json', { plan })).body.plan
}

describe('money of which the subscription has not heard yet', () => {
  test('finishes a sign-up: another one is refused, and nobody pays twice', async () => {
    const { shop, wish } = await aBilledClub()
    const subscription = await signUp(shop, wish)
    const orderId = await payBill(shop, subscription)
    const second = await shop.post('/api/subscriptions.json', { subscription: wish })
    assert.deepEqual([second.status, second.body.reason], [409, 'already_subscribed'])
    await service.runJobs()
    assert.equal(await statusOf(shop, subscription), 'active')
    assert.equal((await orderOf(shop, orderId)).cancelled_at, null)
  })

  test('is not lost by a cancellation, which counts at the end of what was paid', async () => {
    const { shop, wish, customer } = await aBilledClub()
    const subscription = await signUp(shop, wish)
    const orderId = await payBill(shop, subscription)
    const { body } = await shop.post(`/api/subscriptions/${subscription.id}/cancel.json`)
    assert.deepEqual([body.subscription.status, body.subscription.ends_at], ['cancelled', subscription.period_end])
    await service.runJobs()
    assert.equal((await subscriberOf(shop, customer))?.ends_at, subscription.period_end)
    assert.equal((await orderOf(shop, orderId)).cancelled_at, null)
  })

  test('stays with the order of a customer whom the company removes', async () => {
    const { shop, wish, customer } = await aBilledClub()
    const subscription = await signUp(shop, wish)
    const orderId = await payBill(shop, subscription)
    assert.equal((await shop.delete(`/api/customers/${customer.token}.json`)).status, 200)
    await service.runJobs()
    const { financial_status, cancelled_at } = await orderOf(shop, orderId)
    assert.deepEqual([financial_status, cancelled_at], ['paid', null])
    assert.equal((await periodsOf(shop, subscription))[0]?.status, 'paid')
    assert.equal(await statusOf(shop, subscription), 'ended')
  })

  test('ends the delay before a cancellation does', async () => {
    const { shop, subscription } = await aBilledMember()
    await advanceTo(service, subscription.period_end)
    assert.equal(await statusOf(shop, subscription), 'past_due')
    const orderId = await payBill(shop, subscription)
    const { body } = await shop.post(`/api/subscriptions/${subscription.id}/cancel.json`)
    assert.equal(body.subscription.status, 'cancelled')
    assert.ok(body.subscription.ends_at > subscription.period_end)
    assert.equal((await orderOf(shop, orderId)).cancelled_at, null)
  })
})

describe('a change of plan at once that is paid by bill', () => {
  const change = (shop: Shop, { id }: Wire, { id: plan_id }: Wire) =>
    shop.post(`/api/subscriptions/${id}/change_plan.json`, { plan_change: { plan_id, at: 'now' } })

  test('leaves the old plan until the bill is paid', async () => {
    const { shop, plan, subscription } = await aBilledMember({ interval: 'quarter' })
    const year = await aYearlyPlan(shop, plan)
    await advanceTo(service, subscription.period_start, 10 * DAY)
    assert.equal((await change(shop, subscription, year)).status, 200)
    for (const day of [10, 12]) {
      await advanceTo(service, subscription.period_start, day * DAY + 60)
      const { status, plan_id } = await read(shop, subscription)
      assert.deepEqual([status, plan_id], ['active', plan.id], `after ${day} days`)
    }
    await payBill(shop, subscription)
    await service.runJobs()
    const { status, plan_id } = await read(shop, subscription)
    assert.deepEqual([status, plan_id], ['active', year.id])
  })

  test('is undone when the time of the bill is over, and the old plan goes on', async () => {
    const { shop, plan, subscription } = await aBilledMember({ interval: 'quarter' })
    const year = await aYearlyPlan(shop, plan)
    await advanceTo(service, subscription.period_start, 10 * DAY)
    await change(shop, subscription, year)
    const [bill] = await periodsOf(shop, subscription)
    await advanceTo(service, subscription.period_start, 24 * DAY + 60)
    const { status, plan_id, next_plan_id } = await read(shop, subscription)
    assert.deepEqual([status, plan_id, next_plan_id], ['active', plan.id, null])
    assert.notEqual((await orderOf(shop, bill?.order_id)).cancelled_at, null)
    const mail = await service.db
      .selectFrom('mails')
      .select('subject')
      .where('company_id', '=', shop.companyId)
      .where('subject', 'like', '%your plan was not changed%')
      .execute()
    assert.equal(mail.length, 1)
    await advanceTo(service, subscription.period_end, -14 * DAY + 60)
    const [next] = await periodsOf(shop, subscription)
    assert.deepEqual([next?.status, next?.starts_at], ['open', subscription.period_end])
  })

  test('is taken back by a cancellation', async () => {
    const { shop, plan, subscription } = await aBilledMember({ interval: 'quarter' })
    const year = await aYearlyPlan(shop, plan)
    await change(shop, subscription, year)
    const { body } = await shop.post(`/api/subscriptions/${subscription.id}/cancel.json`)
    assert.deepEqual([body.subscription.status, body.subscription.ends_at], ['cancelled', subscription.period_end])
    assert.equal((await periodsOf(shop, subscription))[0]?.status, 'void')
  })
})

describe('a pause after the bill was sent', () => {
  const pause = (shop: Shop, { id, period_end }: Wire) =>
    shop.post(`/api/subscriptions/${id}/pause.json`, {
      pause: { until: new Date(Date.parse(`${period_end}Z`) + 40 * DAY * 1000).toISOString() },
    })

  test('takes it back, and begins when the paid period is over', async () => {
    const { shop, subscription } = await aBilledMember()
    await advanceTo(service, subscription.period_end, -14 * DAY)
    const [bill] = await periodsOf(shop, subscription)
    assert.equal(bill?.status, 'open')
    const planned = await pause(shop, subscription)
    assert.equal(planned.status, 200, planned.text)
    assert.notEqual((await orderOf(shop, bill?.order_id)).cancelled_at, null)
    await advanceTo(service, subscription.period_end, 10 * DAY)
    assert.equal(await statusOf(shop, subscription), 'paused')
    await advanceTo(service, subscription.period_end, 41 * DAY)
    const [next] = await periodsOf(shop, subscription)
    assert.deepEqual([next?.status, next?.starts_at > subscription.period_end], ['open', true])
  })

  test('counts from the end of the next period if that is paid, and waits for a change of plan', async () => {
    const { shop, plan, subscription } = await aBilledMember()
    const year = await aYearlyPlan(shop, plan)
    const changing = { plan_change: { plan_id: year.id, at: 'now' } }
    await shop.post(`/api/subscriptions/${subscription.id}/change_plan.json`, changing)
    const refused = await pause(shop, subscription)
    assert.deepEqual([refused.status, refused.body.reason], [409, 'subscription_not_changeable'])
    await payBill(shop, subscription)
    const tooSoon = await pause(shop, subscription)
    assert.equal(tooSoon.status, 422, 'the year is paid, and a pause begins after it')
  })
})
