import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { aPrice, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { offer, workOf } from '#test/payments.ts'
import { aClub, advanceTo, type Club, periodsOf, read, signUp, statusOf, timelineOf } from '#test/subscriptions.ts'
import { announcePrices } from '../announce.worker.ts'
import { proceed } from '../steps.commands.ts'
import { advance } from './charge.worker.ts'

const service = useService()

const DAY = 86_400

async function aMember(attributes: object = {}, card: string = TEST_CARDS.succeeds) {
  const club = await aClub(service, attributes)
  const wish = { plan_id: club.plan.id, customer_token: club.customer.token, test_card: card }
  return { ...club, subscription: await signUp(club.shop, wish) }
}

async function paymentsOf({ shop }: Pick<Club, 'shop'>) {
  return service.db
    .selectFrom('payments')
    .select(['order_id', 'status', 'paid_cents'])
    .where('company_id', '=', shop.companyId)
    .orderBy('id')
    .execute()
}

const pass = (time: string) => service.clock.advance((Date.parse(time) - service.clock.now().getTime()) / 1000 + 1)

async function mailsTo(shop: Shop, { email }: Wire) {
  const mails = service.db.selectFrom('mails').select(['subject', 'text']).where('company_id', '=', shop.companyId)
  return mails.where('recipient', '=', email).orderBy('id').execute()
}

describe('a renewal', () => {
  test('that several workers do at once is charged once', async () => {
    const { shop, subscription } = await aMember()
    pass(subscription.period_end)
    await Promise.all(Array.from({ length: 6 }, () => advance(workOf(service), shop.companyId, subscription.id)))
    const payments = await paymentsOf({ shop })
    assert.deepEqual(
      payments.map(({ status, paid_cents }) => [status, paid_cents]),
      [
        ['paid', 790],
        ['paid', 790],
      ],
    )
    assert.equal((await periodsOf(shop, subscription)).length, 2)
    const flagged = await shop.get('/api/payments.json?flagged=true')
    assert.deepEqual(flagged.body.payments, [], 'nobody was charged twice')
  })

  test('of a worker that died before it asked the gateway goes on with the same attempt', async () => {
    const { shop, subscription } = await aMember()
    pass(subscription.period_end)
    const now = service.clock.now()
    const charge = await inTransaction(service.db, (tx) => proceed(tx, shop.companyId, subscription.id, now))
    assert.ok(charge)
    assert.equal((await paymentsOf({ shop })).at(-1)?.status, 'created')
    await advance(workOf(service), shop.companyId, subscription.id)
    assert.equal((await paymentsOf({ shop })).length, 2, 'no second attempt was written down')
    assert.equal((await read(shop, subscription)).period, 2)
  })

  test('that died again and again ends with one order, one payment and one event for each period', async () => {
    const { shop, subscription } = await aMember()
    for (let month = 0; month < 3; month += 1) {
      const { period_end } = await read(shop, subscription)
      pass(period_end)
      const work = workOf(service)
      // Each try ends in another of its transactions.
      for (let place = 0; place < 4; place += 1) {
        let left = place
        const dying = {
          ...work,
          change: ((run) =>
            left-- > 0 ? work.change(run) : Promise.reject(new Error('killed'))) as typeof work.change,
        }
        await advance(dying, shop.companyId, subscription.id).catch(() => undefined)
      }
      await advance(work, shop.companyId, subscription.id)
    }
    await service.runJobs()
    const { status, period } = await read(shop, subscription)
    assert.deepEqual([status, period], ['active', 4])
    const payments = await paymentsOf({ shop })
    assert.equal(payments.length, 4)
    assert.ok(payments.every((payment) => payment.status === 'paid'))
    const created = await service.db
      .selectFrom('events')
      .select('topic')
      .where('company_id', '=', shop.companyId)
      .where('topic', '=', 'order/create')
      .execute()
    assert.equal(created.length, 4)
  })

  test('that the bank wants confirmed waits for the customer, who pays with the link', async () => {
    const { shop, subscription, customer } = await aMember({}, TEST_CARDS.asksRenewals)
    await advanceTo(service, subscription.period_end)
    assert.equal(await statusOf(shop, subscription), 'past_due')
    const mails = await mailsTo(shop, customer)
    const asked = mails.find(({ subject }) => /please confirm your payment/i.test(subject))
    const [period] = await periodsOf(shop, subscription)
    assert.match(asked?.text ?? '', new RegExp(`Confirm payment:\\n\\S+/subscriptions/${period?.order_id}-`))
    assert.equal((await shop.post(`/api/orders/${period?.order_id}/mark_paid.json`)).status, 200)
    await service.runJobs()
    assert.deepEqual([await statusOf(shop, subscription), (await read(shop, subscription)).period], ['active', 2])
  })
})

describe('another price', () => {
  test('is announced, and counts for periods that begin late enough', async () => {
    const { shop, plan, subscription } = await aMember()
    const dearer = await aPrice(service, shop, { currencies: [{ price: 990, currency: 'EUR' }] })
    service.clock.advance(60)
    await shop.put(`/api/plans/${plan.id}.json`, { plan: { price_id: dearer.id } })
    service.clock.advance(60)
    await announcePrices(workOf(service))
    const told = await read(shop, subscription)
    assert.deepEqual([told.amount, told.next_amount], [790, 990])
    assert.ok(Date.parse(told.next_amount_from) - service.clock.now().getTime() >= 29 * DAY * 1000)
    assert.equal((await timelineOf(shop, subscription))[0], 'price_announced')
    await announcePrices(workOf(service))
    assert.equal((await timelineOf(shop, subscription)).filter((kind) => kind === 'price_announced').length, 1)
    await advanceTo(service, told.next_amount_from)
    const { amount, next_amount } = await read(shop, subscription)
    assert.deepEqual([amount, next_amount], [990, null])
    const [period] = await periodsOf(shop, subscription)
    assert.equal((await shop.get(`/api/orders/${period?.order_id}.json`)).body.order.total_price, 990)
  })
})

describe('a change of plan that cannot be paid', () => {
  test('leaves the plan as it was', async () => {
    const { shop, plan, subscription, customer } = await aMember({}, TEST_CARDS.failsRenewals)
    const price = await aPrice(service, shop, { currencies: [{ price: 7900, currency: 'EUR' }] })
    const yearly = { group_id: plan.group_id, title: 'Yearly', price_id: price.id, interval: 'year' }
    const year = (await shop.post('/api/plans.json', { plan: yearly })).body.plan
    const change = { plan_change: { plan_id: year.id, at: 'now' } }
    assert.equal((await shop.post(`/api/subscriptions/${subscription.id}/change_plan.json`, change)).status, 200)
    await advance(workOf(service), shop.companyId, subscription.id)
    const { status, plan_id, next_plan_id, credit } = await read(shop, subscription)
    assert.deepEqual([status, plan_id, next_plan_id, credit], ['active', plan.id, null, 0])
    assert.equal((await periodsOf(shop, subscription))[0]?.status, 'void')
    await service.runJobs()
    const mails = await mailsTo(shop, customer)
    const told = mails.find(({ subject }) => /your plan was not changed/.test(subject))
    assert.match(told?.text ?? '', new RegExp(`You keep Monthly[\\s\\S]*/account/subscriptions/${subscription.id}`))
    assert.ok(!mails.some(({ subject }) => /your payment failed/.test(subject)))
  })
})

describe('what others do', () => {
  test('a customer whom the company removes is charged no more', async () => {
    const { shop, subscription, customer } = await aMember()
    assert.equal((await shop.delete(`/api/customers/${customer.token}.json`)).status, 200)
    const { status, next_action_at } = await read(shop, subscription)
    assert.deepEqual([status, next_action_at], ['ended', null])
    await advanceTo(service, subscription.period_end)
    assert.equal((await periodsOf(shop, subscription)).length, 1)
  })

  test('a plan that somebody has signed up to cannot be deleted', async () => {
    const { shop, plan } = await aMember()
    const refused = await shop.delete(`/api/plans/${plan.id}.json`)
    assert.deepEqual([refused.status, refused.body.reason], [409, 'plan_in_use'])
  })

  test('an order of a period that the owner cancels ends the subscription', async () => {
    const { shop, subscription } = await aMember({}, TEST_CARDS.failsRenewals)
    await advanceTo(service, subscription.period_end)
    const [period] = await periodsOf(shop, subscription)
    assert.equal((await shop.delete(`/api/orders/${period?.order_id}.json`)).status, 200)
    await service.runJobs()
    const { status, ended_because } = await read(shop, subscription)
    assert.deepEqual([status, ended_because], ['ended', 'order_cancelled'])
  })
})

describe('a cancellation', () => {
  test('of a change to another plan leaves the price that was agreed', async () => {
    const { shop, plan, subscription } = await aMember()
    const price = await aPrice(service, shop, { currencies: [{ price: 7900, currency: 'EUR' }] })
    const yearly = { group_id: plan.group_id, title: 'Yearly', price_id: price.id, interval: 'year' }
    const year = (await shop.post('/api/plans.json', { plan: yearly })).body.plan
    await shop.post(`/api/subscriptions/${subscription.id}/change_plan.json`, { plan_change: { plan_id: year.id } })
    await shop.post(`/api/subscriptions/${subscription.id}/cancel.json`)
    await shop.post(`/api/subscriptions/${subscription.id}/resume.json`)
    await advanceTo(service, subscription.period_end)
    const { plan_id, amount, period } = await read(shop, subscription)
    assert.deepEqual([plan_id, amount, period], [plan.id, 790, 2])
    const [last] = await periodsOf(shop, subscription)
    assert.equal((await shop.get(`/api/orders/${last?.order_id}.json`)).body.order.total_price, 790)
  })

  test('takes back the bill that was sent for the time after it', async () => {
    const club = await aClub(service)
    await offer(service, club.shop, { manual: { enabled: true } })
    const wish = { plan_id: club.plan.id, customer_token: club.customer.token, paid: true }
    const subscription = await signUp(club.shop, wish)
    await advanceTo(service, subscription.period_end, -14 * DAY)
    const [bill] = await periodsOf(club.shop, subscription)
    assert.equal(bill?.status, 'open')
    const cancelled = await club.shop.post(`/api/subscriptions/${subscription.id}/cancel.json`)
    assert.equal(cancelled.body.subscription.status, 'cancelled')
    assert.equal((await periodsOf(club.shop, subscription))[0]?.status, 'void')
    assert.notEqual((await club.shop.get(`/api/orders/${bill?.order_id}.json`)).body.order.cancelled_at, null)
    await advanceTo(service, subscription.period_end)
    assert.equal(await statusOf(club.shop, subscription), 'ended')
  })
})
