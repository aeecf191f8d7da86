import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { aCustomer } from '#test/customers.ts'
import { aPrice, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { offer } from '#test/payments.ts'
import { aClub, advanceTo, periodsOf, read, signUp } from '#test/subscriptions.ts'
import { addChangesToDays, correctSubscriptionDays } from './commands.ts'
import { readSubscriptionDays } from './queries.ts'
import { monthlyOf } from './rules.ts'

const service = useService()
const DAY_MS = 86_400_000

const dayAfter = (days: number) => new Date(service.clock.now().getTime() + days * DAY_MS).toISOString()
const today = () => service.clock.now().toISOString().slice(0, 10)

/** Everything that the report says of a company, with its days from one to another. */
async function report(shop: Shop, from: string, to = today()): Promise<{ days: Wire[]; totals: Wire }> {
  const path = `/api/statistics/subscriptions/${shop.companyId}.json?StartDate=${from}&EndDate=${to}`
  const { body, text, status } = await (await shop.withScopes('statistics')).get(path)
  assert.equal(status, 200, text)
  return { days: body.subscription_statistics, totals: body.totals }
}

/** How a company stands now, counted from its subscriptions and their timelines and not from what was kept. */
async function countFromScratch(shop: Shop, plans: ReadonlyMap<number, Wire>) {
  const { subscriptions } = (await shop.get('/api/subscriptions.json')).body as { subscriptions: Wire[] }
  const running = subscriptions.filter(({ status }) => ['trialing', 'active', 'past_due', 'cancelled'].includes(status))
  const paid = running.filter(({ period }) => period > 0)
  const timelines = await Promise.all(
    subscriptions.map(async ({ id }) => (await shop.get(`/api/subscriptions/${id}/timeline.json`)).body.timeline),
  )
  const happened = (kind: string) => timelines.flat().filter((entry: Wire) => entry.kind === kind).length
  const began = timelines.filter((timeline) => timeline.some(({ kind }: Wire) => kind === 'started'))
  return {
    active_count: running.length,
    trial_count: running.length - paid.length,
    past_due_count: running.filter(({ status }) => status === 'past_due').length,
    recurring_amount: paid.reduce(
      (sum, { amount, plan_id }) => sum + monthlyOf(amount, plans.get(plan_id) as never),
      0,
    ),
    new_count: happened('started'),
    withdrawn_count: happened('cancellation_withdrawn'),
    failed_charge_count: happened('charge_failed'),
    ended_count: began.filter((timeline) => timeline.some(({ kind }: Wire) => kind === 'ended')).length,
  }
}

describe('the days of subscriptions', () => {
  test('say what a count from scratch says, after everything that can happen', async () => {
    const { shop, plan, customer } = await aClub(service, { trial_days: 7, pausable: true })
    await offer(service, shop, { manual: { enabled: true } })
    const yearly = await aPrice(service, shop, { currencies: [{ price: 8000, currency: 'EUR' }] })
    const attributes = { group_id: plan.group_id, title: 'Yearly', price_id: yearly.id, interval: 'year' }
    const other = (await shop.post('/api/plans.json', { plan: attributes })).body.plan
    const plans = new Map([plan, other].map((each): [number, Wire] => [each.id, each]))
    const first = today()
    const paid = (token: string, more: object = {}) =>
      signUp(shop, { plan_id: plan.id, customer_token: token, paid: true, ...more })
    const change = async ({ id }: Wire, action: string, body?: object) => {
      const answer = await shop.post(`/api/subscriptions/${id}/${action}`, body)
      assert.equal(answer.status, 200, answer.text)
    }
    const compare = async () => {
      const { totals } = await report(shop, first)
      const scratch = await countFromScratch(shop, plans)
      assert.deepEqual(Object.fromEntries(Object.keys(scratch).map((name) => [name, totals[name]])), scratch)
      return totals
    }
    const markPaid = async (one: Wire) => {
      const [newest] = await periodsOf(shop, one)
      assert.equal((await shop.post(`/api/orders/${newest?.order_id}/mark_paid.json`)).status, 200)
      await service.runJobs()
    }

    const trial = await paid(customer.token)
    const [jane, max, ines] = [await aCustomer(shop), await aCustomer(shop), await aCustomer(shop)]
    const straight = await paid(jane.token, { trial_days: 0 })
    const long = await signUp(shop, { plan_id: other.id, customer_token: max.token, paid: true })
    const never = await signUp(shop, { plan_id: plan.id, customer_token: ines.token, trial_days: 0 })
    let totals = await compare()
    assert.deepEqual(
      [totals.active_count, totals.trial_count, totals.recurring_amount, totals.trial_started_count],
      [3, 1, 790 + monthlyOf(8000, { interval: 'year', interval_count: 1 }), 1],
    )
    await change(never, 'cancel.json')
    await change(long, 'cancel.json')
    await change(long, 'resume.json')
    await change(straight, 'pause.json', { pause: { until: new Date(Date.parse(straight.period_end) + 9 * DAY_MS) } })
    totals = await compare()
    assert.deepEqual([totals.cancelled_count, totals.withdrawn_count, totals.ended_count], [1, 1, 0])

    // The trial is over, and its bill is late and then paid.
    await advanceTo(service, trial.period_end, 3600)
    assert.equal((await read(shop, trial)).status, 'past_due')
    assert.equal((await compare()).past_due_count, 1)
    await advanceTo(service, dayAfter(1))
    await markPaid(trial)
    totals = await compare()
    assert.deepEqual(
      [totals.trial_converted_count, totals.recovered_charge_count, totals.trial_count, totals.past_due_count],
      [1, 1, 0, 0],
    )
    // Half of what was counted is in the days by now.
    await inTransaction(service.db, (tx) => addChangesToDays(tx, 7))
    await compare()
    await advanceTo(service, straight.period_end, 60)
    assert.equal((await read(shop, straight)).status, 'paused')
    await compare()
    await change(long, 'cancel.json?at=now')
    totals = await compare()
    assert.deepEqual([totals.cancelled_count, totals.ended_count], [2, 1])
    await service.runJobs()
    while ((await inTransaction(service.db, (tx) => addChangesToDays(tx, 1000))) > 0);
    await compare()

    const kept = await readSubscriptionDays(service.db, shop.companyId, { from: first, to: today() })
    await inTransaction(service.db, (tx) => correctSubscriptionDays(tx, shop.companyId))
    assert.deepEqual(await readSubscriptionDays(service.db, shop.companyId, { from: first, to: today() }), kept)
    const { days } = await report(shop, first)
    const last = days.at(-1)
    assert.deepEqual([last?.active_count, last?.recurring_amount], [totals.active_count, totals.recurring_amount])
    const before = await report(shop, today())
    assert.equal(before.totals.new_count, 0, 'what came before counts only for how many there are')
    assert.equal(before.days[0]?.active_count, totals.active_count)
  })

  test('leave tests out, and are closed to strangers', async () => {
    const { shop, plan, customer } = await aClub(service)
    await signUp(shop, { plan_id: plan.id, customer_token: customer.token, test_card: '4242424242424242' })
    const { totals } = await report(shop, today())
    assert.equal(totals.active_count, 0)
    assert.equal(totals.churn_percent, null)
    const path = `/api/statistics/subscriptions/${shop.companyId}.json`
    const stranger = await (await service.openShop()).withScopes('statistics')
    assert.equal((await stranger.get(path)).status, 404)
  })

  test('count the churn of those who were there before', async () => {
    const { shop, plan, customer } = await aClub(service)
    const others = [await aCustomer(shop), await aCustomer(shop), await aCustomer(shop)]
    for (const { token } of [customer, ...others])
      await signUp(shop, { plan_id: plan.id, customer_token: token, paid: true })
    service.clock.advance(86_400)
    const { subscriptions } = (await shop.get('/api/subscriptions.json')).body
    await shop.post(`/api/subscriptions/${subscriptions[0].id}/cancel.json?at=now`)
    const { totals, days } = await report(shop, today())
    assert.deepEqual([totals.churn_percent, days[0]?.churn_percent, totals.active_count], [25, 25, 3])
    const file = await (await shop.withScopes('statistics')).get(
      `/api/statistics/subscriptions/${shop.companyId}.json?format=csv&group=month`,
    )
    assert.match(file.text, /active_count/)
  })
})
