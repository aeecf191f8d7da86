import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { aPrice, assertBlames, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { PATIENCE_MS } from '#test/patience.ts'
import { offer } from '#test/payments.ts'
import { aClub, advanceTo, periodsOf, read, signUp, statusOf, subscriberOf, timelineOf } from '#test/subscriptions.ts'

const service = useService()

const DAY = 86_400

describe('signing up', () => {
  test('with a card makes an order that is paid, a subscriber, and its event', async () => {
    const { shop, plan, customer } = await aClub(service)
    const subscription = await signUp(shop, {
      plan_id: plan.id,
      customer_token: customer.token,
      test_card: TEST_CARDS.succeeds,
    })
    assert.equal(subscription.status, 'active')
    assert.equal(subscription.period, 1)
    assert.equal(subscription.amount, 790)
    const [period] = await periodsOf(shop, subscription)
    const { order } = (await shop.get(`/api/orders/${period.order_id}.json`)).body
    assert.deepEqual(
      [order.financial_status, order.total_price, order.line_items[0].title, order.test],
      ['paid', 790, 'Kino Club: Monthly', true],
    )
    const subscriber = await subscriberOf(shop, customer)
    assert.deepEqual([subscriber.group_id, subscriber.ends_at, subscriber.state], [plan.group_id, null, 'active'])
    const events = await service.db
      .selectFrom('events')
      .select('topic')
      .where('company_id', '=', shop.companyId)
      .where('topic', 'like', 'subscriber/%')
      .execute()
    assert.deepEqual(
      events.map(({ topic }) => topic),
      ['subscriber/create'],
    )
    const { content } = (await shop.get(`/api/customers/${customer.token}/content.json`)).body
    assert.deepEqual(content, [], 'what a plan gives is a membership, and nothing to own')
  })

  test('with a trial costs nothing, once', async () => {
    const { shop, plan, customer } = await aClub(service, { trial_days: 7 })
    const wish = { plan_id: plan.id, customer_token: customer.token, test_card: TEST_CARDS.succeeds }
    const trial = await signUp(shop, wish)
    assert.deepEqual([trial.status, trial.period, trial.amount], ['trialing', 0, 790])
    assert.equal(Date.parse(trial.period_end) - Date.parse(trial.period_start), 7 * DAY * 1000)
    const [period] = await periodsOf(shop, trial)
    assert.equal((await shop.get(`/api/orders/${period.order_id}.json`)).body.order.total_price, 0)
    await shop.post(`/api/subscriptions/${trial.id}/cancel.json?at=now`)
    assert.equal(await statusOf(shop, trial), 'ended')
    const second = await signUp(shop, wish)
    assert.deepEqual([second.status, second.period], ['active', 1], 'whoever was a member gets no second trial')
  })

  test('by bill makes a member when the bill is paid', async () => {
    const { shop, plan, customer } = await aClub(service)
    await offer(service, shop, { manual: { enabled: true } })
    const subscription = await signUp(shop, { plan_id: plan.id, customer_token: customer.token })
    assert.equal(subscription.status, 'incomplete')
    assert.equal(await subscriberOf(shop, customer), undefined)
    const [period] = await periodsOf(shop, subscription)
    assert.equal((await shop.post(`/api/orders/${period.order_id}/mark_paid.json`)).status, 200)
    await service.runJobs()
    assert.equal(await statusOf(shop, subscription), 'active')
    assert.equal((await subscriberOf(shop, customer))?.state, 'active')
  })

  test('twice is refused, also at the same time', async () => {
    const { shop, plan, customer } = await aClub(service)
    const wish = { subscription: { plan_id: plan.id, customer_token: customer.token, test_card: TEST_CARDS.succeeds } }
    const answers = await Promise.all(Array.from({ length: 5 }, () => shop.post('/api/subscriptions.json', wish)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
    assert.equal((await shop.get('/api/subscriptions/count.json')).body.count, 1)
    assert.equal((await shop.get('/api/orders/count.json')).body.count, 1)
  })

  test('a card that is declined leaves a sign-up that the next one replaces', async () => {
    const { shop, plan, customer } = await aClub(service)
    const wish = { plan_id: plan.id, customer_token: customer.token }
    const declined = await signUp(shop, { ...wish, test_card: TEST_CARDS.fails })
    assert.equal(declined.status, 'incomplete')
    assert.equal(await subscriberOf(shop, customer), undefined)
    const paid = await signUp(shop, { ...wish, test_card: TEST_CARDS.succeeds })
    assert.equal(paid.status, 'active')
    const { status, ended_because } = await read(shop, declined)
    assert.deepEqual([status, ended_because], ['ended', 'replaced'])
  })

  test('is refused for plans of others, plans that are not offered, and without a customer', async () => {
    const { shop, plan, customer } = await aClub(service)
    const stranger = await aClub(service)
    const post = (subscription: object) => shop.post('/api/subscriptions.json', { subscription })
    const known = { customer_token: customer.token, test_card: TEST_CARDS.succeeds }
    assertBlames(await post({ plan_id: stranger.plan.id, ...known }), ['plan_id'])
    assert.equal((await post({ plan_id: plan.id, test_card: TEST_CARDS.succeeds })).status, 422)
    assert.equal((await post({ plan_id: plan.id, ...known, customer_token: stranger.customer.token })).status, 422)
    await shop.put(`/api/plans/${plan.id}.json`, { plan: { valid: false } })
    assertBlames(await post({ plan_id: plan.id, ...known }), ['plan_id'])
  })
})

describe('a subscription', () => {
  test('renews on the same day of each month, with an order for each period', async () => {
    const { shop, plan, customer } = await aClub(service)
    const { id, period_end } = await signUp(shop, {
      plan_id: plan.id,
      customer_token: customer.token,
      test_card: TEST_CARDS.succeeds,
    })
    await advanceTo(service, period_end)
    const renewed = await read(shop, { id })
    assert.deepEqual([renewed.status, renewed.period, renewed.period_start], ['active', 2, period_end])
    const periods = await periodsOf(shop, { id })
    assert.deepEqual(
      periods.map(({ number, status }) => [number, status]),
      [
        [2, 'paid'],
        [1, 'paid'],
      ],
    )
    const { order } = (await shop.get(`/api/orders/${periods[0].order_id}.json`)).body
    assert.deepEqual([order.financial_status, order.total_price], ['paid', 790])
    assert.equal((await subscriberOf(shop, customer))?.ends_at, null)
  })

  test('charges the card after a trial, and reminds of it before', async () => {
    const { shop, plan, customer } = await aClub(service, { trial_days: 7 })
    const trial = await signUp(shop, {
      plan_id: plan.id,
      customer_token: customer.token,
      test_card: TEST_CARDS.succeeds,
    })
    await advanceTo(service, trial.period_end, -2 * DAY)
    assert.deepEqual((await timelineOf(shop, trial))[0], 'reminded')
    assert.equal(await statusOf(shop, trial), 'trialing')
    await advanceTo(service, trial.period_end)
    const { status, period, period_start } = await read(shop, trial)
    assert.deepEqual([status, period, period_start], ['active', 1, trial.period_end])
  })

  test('whose card fails is tried again, and goes on with access meanwhile', async () => {
    const { shop, plan, customer } = await aClub(service)
    const { id, period_end } = await signUp(shop, {
      plan_id: plan.id,
      customer_token: customer.token,
      test_card: TEST_CARDS.failsFirstRenewal,
    })
    await advanceTo(service, period_end)
    const late = await read(shop, { id })
    assert.deepEqual([late.status, late.failures], ['past_due', 1])
    assert.equal((await subscriberOf(shop, customer))?.state, 'active')
    await advanceTo(service, period_end, DAY + 60)
    const { status, failures, period } = await read(shop, { id })
    assert.deepEqual([status, failures, period], ['active', 0, 2])
    assert.equal((await shop.get('/api/orders/count.json?status=any')).body.count, 2, 'one order for each period')
  })

  test('whose card fails every time ends after the last try, and its order is cancelled', async () => {
    const { shop, plan, customer } = await aClub(service)
    const { id, period_end } = await signUp(shop, {
      plan_id: plan.id,
      customer_token: customer.token,
      test_card: TEST_CARDS.failsRenewals,
    })
    for (const day of [0, 1, 3, 5]) {
      await advanceTo(service, period_end, day * DAY + 60)
      assert.equal(await statusOf(shop, { id }), 'past_due', `after ${day} days`)
    }
    await advanceTo(service, period_end, 7 * DAY + 120)
    const { status, ended_because } = await read(shop, { id })
    assert.deepEqual([status, ended_because], ['ended', 'unpaid'])
    assert.equal((await subscriberOf(shop, customer))?.state, 'ended')
    const [period] = await periodsOf(shop, { id })
    assert.equal(period.status, 'void')
    assert.notEqual((await shop.get(`/api/orders/${period.order_id}.json`)).body.order.cancelled_at, null)
  })

  test('that is cancelled runs to the end of what was paid', async () => {
    const { shop, plan, customer } = await aClub(service)
    const { id, period_end } = await signUp(shop, {
      plan_id: plan.id,
      customer_token: customer.token,
      test_card: TEST_CARDS.succeeds,
    })
    const cancelled = (await shop.post(`/api/subscriptions/${id}/cancel.json`)).body.subscription
    assert.deepEqual([cancelled.status, cancelled.ends_at], ['cancelled', period_end])
    assert.equal((await subscriberOf(shop, customer))?.ends_at, period_end)
    const kept = (await shop.post(`/api/subscriptions/${id}/resume.json`)).body.subscription
    assert.deepEqual([kept.status, kept.ends_at], ['active', null])
    await shop.post(`/api/subscriptions/${id}/cancel.json`)
    await advanceTo(service, period_end)
    const { status, ended_because } = await read(shop, { id })
    assert.deepEqual([status, ended_because], ['ended', 'cancelled'])
    assert.equal((await subscriberOf(shop, customer))?.state, 'ended')
  })

  test('with a minimum term goes on until it is over', async () => {
    const { shop, plan, customer } = await aClub(service, { minimum_periods: 2 })
    const { id, period_end, committed_until } = await signUp(shop, {
      plan_id: plan.id,
      customer_token: customer.token,
      test_card: TEST_CARDS.succeeds,
    })
    const cancelled = (await shop.post(`/api/subscriptions/${id}/cancel.json`)).body.subscription
    assert.deepEqual([cancelled.status, cancelled.ends_at], ['cancelled', committed_until])
    await advanceTo(service, period_end)
    const { status, period } = await read(shop, { id })
    assert.deepEqual([status, period], ['cancelled', 2], 'the second period is charged')
    await advanceTo(service, committed_until)
    assert.equal(await statusOf(shop, { id }), 'ended')
  })

  test('that is paused charges nothing, and begins a new period afterwards', async () => {
    const { shop, plan, customer } = await aClub(service)
    const { id, period_end } = await signUp(shop, {
      plan_id: plan.id,
      customer_token: customer.token,
      test_card: TEST_CARDS.succeeds,
    })
    const until = new Date(Date.parse(period_end) + 40 * DAY * 1000).toISOString()
    const planned = (await shop.post(`/api/subscriptions/${id}/pause.json`, { pause: { until } })).body.subscription
    assert.equal(planned.status, 'active')
    await advanceTo(service, period_end)
    assert.equal(await statusOf(shop, { id }), 'paused')
    assert.equal((await subscriberOf(shop, customer))?.state, 'ended')
    await advanceTo(service, period_end, 40 * DAY)
    const { status, period, period_start } = await read(shop, { id })
    assert.deepEqual([status, period], ['active', 2])
    // It begins when it is charged, which may be a moment after the pause has ended.
    const late = Date.parse(period_start) - Date.parse(planned.paused_until)
    assert.ok(late >= 0 && late <= PATIENCE_MS, `${late} ms late`)
    assert.equal((await subscriberOf(shop, customer))?.state, 'active')
  })

  test('ends after as many renewals as the plan has', async () => {
    const { shop, plan, customer } = await aClub(service, { renewals: 1 })
    const { id, period_end } = await signUp(shop, {
      plan_id: plan.id,
      customer_token: customer.token,
      test_card: TEST_CARDS.succeeds,
    })
    await advanceTo(service, period_end)
    const second = await read(shop, { id })
    assert.deepEqual([second.status, second.period, second.renewals_left], ['active', 2, 0])
    await advanceTo(service, second.period_end)
    const { status, ended_because } = await read(shop, { id })
    assert.deepEqual([status, ended_because], ['ended', 'completed'])
  })

  test('by bill is billed ahead, is late when its period begins, and ends if nobody pays', async () => {
    const { shop, plan, customer } = await aClub(service)
    await offer(service, shop, { manual: { enabled: true } })
    const { id, period_end } = await signUp(shop, { plan_id: plan.id, customer_token: customer.token, paid: true })
    await advanceTo(service, period_end, -14 * DAY)
    const [bill] = await periodsOf(shop, { id })
    assert.deepEqual([bill.number, bill.status], [2, 'open'])
    assert.equal((await shop.get(`/api/orders/${bill.order_id}.json`)).body.order.financial_status, 'pending')
    await advanceTo(service, period_end)
    assert.equal(await statusOf(shop, { id }), 'past_due')
    const late = await service.db
      .selectFrom('mails')
      .select('text')
      .where('company_id', '=', shop.companyId)
      .where('subject', 'like', '%your invoice is not paid yet%')
      .executeTakeFirst()
    const until = new Date(Date.parse(`${period_end}Z`) + 7 * DAY * 1000)
    const day = until.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
    assert.match(late?.text ?? '', new RegExp(`You remain a member until ${day}[\\s\\S]*/orders/${bill.order_id}-`))
    await advanceTo(service, period_end, 7 * DAY + 120)
    const { status, ended_because } = await read(shop, { id })
    assert.deepEqual([status, ended_because], ['ended', 'unpaid'])
  })

  test('is another company’s to nobody', async () => {
    const { shop, plan, customer } = await aClub(service)
    const { id } = await signUp(shop, {
      plan_id: plan.id,
      customer_token: customer.token,
      test_card: TEST_CARDS.succeeds,
    })
    const stranger = await service.openShop()
    for (const path of [`${id}.json`, `${id}/periods.json`, `${id}/timeline.json`])
      assert.equal((await stranger.get(`/api/subscriptions/${path}`)).status, 404)
    for (const path of ['cancel', 'resume'])
      assert.equal((await stranger.post(`/api/subscriptions/${id}/${path}.json`)).status, 404)
    assert.equal(await statusOf(shop, { id }), 'active')
  })
})

describe('a change of plan', () => {
  const aYear = async (shop: Shop, group_id: string): Promise<Wire> => {
    const price = await aPrice(service, shop, { currencies: [{ price: 7900, currency: 'EUR' }] })
    const yearly = { group_id, title: 'Yearly', price_id: price.id, interval: 'year' }
    return (await shop.post('/api/plans.json', { plan: yearly })).body.plan
  }

  test('with the next period costs the new price then', async () => {
    const { shop, plan, customer } = await aClub(service)
    const year = await aYear(shop, plan.group_id)
    const { id, period_end } = await signUp(shop, {
      plan_id: plan.id,
      customer_token: customer.token,
      test_card: TEST_CARDS.succeeds,
    })
    const changed = (
      await shop.post(`/api/subscriptions/${id}/change_plan.json`, { plan_change: { plan_id: year.id } })
    ).body.subscription
    assert.deepEqual([changed.plan_id, changed.next_plan_id, changed.next_amount], [plan.id, year.id, 7900])
    await advanceTo(service, period_end)
    const { plan_id, amount, period_start, period_end: end } = await read(shop, { id })
    assert.deepEqual([plan_id, amount, period_start], [year.id, 7900, period_end])
    assert.equal(new Date(end).getUTCFullYear(), new Date(period_start).getUTCFullYear() + 1)
  })

  test('at once credits what is left of the running period to the day', async () => {
    const { shop, plan, customer } = await aClub(service)
    const year = await aYear(shop, plan.group_id)
    const { id, period_start, period_end } = await signUp(shop, {
      plan_id: plan.id,
      customer_token: customer.token,
      test_card: TEST_CARDS.succeeds,
    })
    await advanceTo(service, period_start, 10 * DAY)
    const changing = { plan_change: { plan_id: year.id, at: 'now' } }
    assert.equal((await shop.post(`/api/subscriptions/${id}/change_plan.json`, changing)).status, 200)
    await advanceTo(service, period_start, 10 * DAY)
    const { plan_id, status, credit } = await read(shop, { id })
    assert.deepEqual([plan_id, status, credit], [year.id, 'active', 0])
    const [period] = await periodsOf(shop, { id })
    const days = (Date.parse(period_end) - Date.parse(period_start)) / 1000 / DAY
    const rest = Math.floor((790 * (days - 10)) / days)
    assert.ok(Math.abs(period.credit - rest) <= 1, `${period.credit} is credited, about ${rest} is left`)
    assert.equal((await shop.get(`/api/orders/${period.order_id}.json`)).body.order.total_price, 7900 - period.credit)
  })
})
