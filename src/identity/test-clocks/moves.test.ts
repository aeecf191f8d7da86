import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { claimJobsOf, finishJob } from '#platform/jobs/queue.ts'
import { TRIES_MAX } from '#platform/jobs/retry.ts'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { startPayment } from '#selling/payments/start.commands.ts'
import { aPrice, aProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm } from '#test/orders.ts'
import { contextOf, offer, place, placeToPay, workOf } from '#test/payments.ts'
import { useReceiver } from '#test/receiver.ts'
import { move, whileWorking } from '#test/sandboxes.ts'
import { STRIPE_SIGNING, STRIPE_TEST_KEY, useStripe } from '#test/stripe.ts'
import { aClub, periodsOf, read, signUp, statusOf, timelineOf } from '#test/subscriptions.ts'
import { aWebhook } from '#test/webhooks.ts'

const stripe = useStripe(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { stripe: stripe.url }, vies: '' }) })
const receiver = useReceiver()

const DAY = 86_400
const ofMonth = { test_clock: { advance: 'P1M' } }

const openSandbox = () => service.openShop({ sandbox: true })
const clockOf = async (shop: Pick<Shop, 'get'>): Promise<Wire> =>
  (await shop.get('/api/test_clock.json')).body.test_clock

async function aMember(attributes: object = {}, sandbox?: Shop) {
  const club = await aClub(service, attributes, sandbox ?? (await openSandbox()))
  const wish = { plan_id: club.plan.id, customer_token: club.customer.token }
  return { ...club, wish, subscription: await signUp(club.shop, { ...wish, test_card: TEST_CARDS.succeeds }) }
}

describe('a move', () => {
  test('goes on after a webhook that failed once and recovered', async () => {
    const shop = await openSandbox()
    let answers = 0
    receiver.answer = (_event, response) => {
      answers += 1
      response.writeHead(answers === 1 ? 500 : 200).end()
    }
    await aWebhook(shop, receiver.url('/recovers'))
    await aProduct(shop)
    const { last_move, status } = await move(service, shop, { advance: 'P3D' })
    assert.deepEqual([status, last_move.counts.webhook_attempt, answers], ['running', 2, 2])
    const again = await move(service, shop, { advance: 'P1W' })
    assert.equal(again.status, 'running')
    assert.ok(Date.parse(again.last_move.to) - Date.parse(again.last_move.from) === 7 * DAY * 1000)
  })

  test('that cannot be done says so after the last try, and another one is possible', async () => {
    const shop = await openSandbox()
    const { companyId } = shop
    // A fault of the database: the clock can be let go, and not be put any further.
    await sql`create function fail_move() returns trigger language plpgsql as $$ begin
      if new.company_id = ${sql.lit(companyId)} and new.stands_at > old.stands_at then raise exception 'broken'; end if;
      return new; end $$`.execute(service.db)
    await sql`create trigger fail_move before update on test_clocks for each row execute function fail_move()`.execute(
      service.db,
    )
    const asked = shop.post('/api/test_clock.json', ofMonth)
    while ((await clockOf(shop)).status !== 'moving');
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      await service.runJobs()
      service.clock.advance(1801)
    }
    const { body } = await whileWorking(service, asked)
    assert.equal(body.test_clock.status, 'running')
    assert.match(body.test_clock.last_move.stopped_because, /could not be done/)
    await sql`drop trigger fail_move on test_clocks`.execute(service.db)
    const fresh = await shop.withScopes('companies')
    const { last_move } = await move(service, fresh, { advance: 'P1M' })
    assert.equal(last_move.stopped_because, null)
  })

  test('waits for what other workers are doing, and does it no second time', async () => {
    const { shop } = await aMember()
    const kinds = ['subscription/mail']
    const claimed = await claimJobsOf(service.db, shop.companyId, kinds, service.clock.now(), 10)
    assert.equal(claimed.length, 1)
    const asked = shop.post('/api/test_clock.json', ofMonth)
    while ((await clockOf(shop)).status !== 'moving');
    const { now } = await clockOf(shop)
    const moving = whileWorking(service, asked)
    // It stands while a worker with a lease is at it.
    for (let looks = 0; looks < 5; looks += 1) assert.equal((await clockOf(shop)).now, now)
    for (const job of claimed) await finishJob(service.db, job)
    const { body } = await moving
    assert.equal(body.test_clock.status, 'running')
    const welcomes = await service.db
      .selectFrom('mails')
      .select('id')
      .where('company_id', '=', shop.companyId)
      .where('subject', 'like', '%Welcome to%')
      .execute()
    assert.equal(welcomes.length, 0, 'the worker that has claimed it was to write it')
  })

  test('of two sandboxes at once leaves each at its own time', async () => {
    const [one, other] = [await aMember(), await aMember()]
    const asked = [
      one.shop.post('/api/test_clock.json', { test_clock: { advance: 'P2M' } }),
      other.shop.post('/api/test_clock.json', { test_clock: { advance: 'P3M' } }),
    ]
    const answers = await Promise.all(asked.map((each) => whileWorking(service, each)))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.test_clock.status]),
      [
        [200, 'running'],
        [200, 'running'],
      ],
    )
    assert.deepEqual(
      [(await periodsOf(one.shop, one.subscription)).length, (await periodsOf(other.shop, other.subscription)).length],
      [3, 4],
    )
  })

  test('reminds of the end of a trial, and cancels bills that nobody pays, each in its time', async () => {
    const { shop, subscription } = await aMember({ trial_days: 14 })
    await move(service, shop, { advance: 'P13D' })
    assert.equal((await timelineOf(shop, subscription))[0], 'reminded')
    const seller = await openSandbox()
    const bill = await place(service, seller, await aBuyer(seller), [await aFilm(service, seller)], 'Manual')
    const { id, created_at } = bill.order.state
    await move(service, seller, { advance: 'P12D' })
    const read = async () => (await seller.get(`/api/orders/${id}.json`)).body.order
    assert.equal((await read()).cancelled_at, null)
    await move(service, seller, { advance: 'P4D' })
    const { cancelled_at } = await read()
    const days = (Date.parse(`${cancelled_at}Z`) - created_at.getTime()) / (DAY * 1000)
    assert.ok(days >= 14 && days <= 16, `${cancelled_at}`)
  })

  test('announces a price, and charges it when it counts', async () => {
    const { shop, plan, subscription } = await aMember()
    const dearer = await aPrice(service, shop, { currencies: [{ price: 990, currency: 'EUR' }] })
    await move(service, shop, { advance: 'PT1H' })
    assert.equal((await shop.put(`/api/plans/${plan.id}.json`, { plan: { price_id: dearer.id } })).status, 200)
    await move(service, shop, { advance: 'P3M' })
    assert.ok((await timelineOf(shop, subscription)).includes('price_announced'))
    assert.equal((await read(shop, subscription)).amount, 990)
  })

  test('ends who does not pay a bill, and begins and ends a pause', async () => {
    const late = await aMember()
    await offer(service, late.shop, { manual: { enabled: true } })
    const { body } = await late.shop.post('/api/customers.json', {
      customer: { email: 'late@example.com', password: 'Secret-12345' },
    })
    const billed = await signUp(late.shop, {
      plan_id: late.plan.id,
      customer_token: body.customer.token,
      paid: true,
    })
    const until = new Date(Date.parse(`${late.subscription.period_end}Z`) + 20 * DAY * 1000).toISOString()
    await late.shop.post(`/api/subscriptions/${late.subscription.id}/pause.json`, { pause: { until } })
    await move(service, late.shop, { at: new Date(Date.parse(`${late.subscription.period_end}Z`) + DAY * 1000) })
    assert.equal(await statusOf(late.shop, late.subscription), 'paused')
    assert.equal(await statusOf(late.shop, billed), 'past_due')
    await move(service, late.shop, { advance: 'P1M' })
    assert.equal((await read(late.shop, billed)).ended_because, 'unpaid')
    assert.equal(await statusOf(late.shop, late.subscription), 'active')
  })
})

describe('a sandbox that is ahead', () => {
  test('counts its test orders and its subscriptions, and nobody else does', async () => {
    const { shop } = await aMember()
    const elsewhere = await aClub(service)
    await signUp(elsewhere.shop, {
      plan_id: elsewhere.plan.id,
      customer_token: elsewhere.customer.token,
      test_card: TEST_CARDS.succeeds,
    })
    await move(service, shop, { advance: 'P3M' })
    await service.runJobs()
    const fresh = await shop.asUser(shop.userId)
    const numbersOf = async (of: Pick<Shop, 'companyId' | 'get'>) => {
      const from = new Date(service.clock.of(of.companyId).getTime() - 130 * DAY * 1000).toISOString().slice(0, 10)
      const to = service.clock.of(of.companyId).toISOString().slice(0, 10)
      const query = `${of.companyId}.json?StartDate=${from}&EndDate=${to}`
      const orders = (await of.get(`/api/statistics/order/${query}`)).body
      const subscriptions = (await of.get(`/api/statistics/subscriptions/${query}`)).body
      return JSON.stringify({ orders, subscriptions })
    }
    const own = await numbersOf(fresh)
    assert.match(own, /"recurring_amount":790/)
    assert.match(own, /"order_amount":(790|3160)/)
    const others = await numbersOf(await elsewhere.shop.asUser(elsewhere.shop.userId))
    assert.doesNotMatch(others, /"(recurring_amount|order_amount)":[1-9]/)
  })

  test('opens pages of Stripe, whose time is that of the world', async () => {
    const shop = await openSandbox()
    await offer(service, shop, {
      stripe: { enabled: true, secret_key: STRIPE_TEST_KEY, webhook_secret: STRIPE_SIGNING },
    })
    await move(service, shop, { advance: 'P1Y' })
    const fresh = await shop.withScopes('orders', 'products', 'customers', 'companies', 'files')
    const film = await aFilm(service, fresh)
    const { payment } = await placeToPay(service, fresh, await aBuyer(fresh), [film], 'Stripe')
    const ahead = service.clock.of(shop.companyId).getTime() - payment.created_at.getTime()
    assert.ok(ahead < DAY * 1000, 'it was begun at the time of the sandbox')
    const { next } = await startPayment(workOf(service), shop.companyId, payment.id, contextOf())
    assert.equal(next.kind, 'redirect')
  })
})
