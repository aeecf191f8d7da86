import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { cancelOrder } from '#selling/orders/cancel.commands.ts'
import { CARDS, heading, type OpenShop, OURS, openCheckout, orderIdOn, put, tell } from '#test/checkout.ts'
import { anEmail } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { untilWaiting } from '#test/in-line.ts'
import { aFilm, readOrder } from '#test/orders.ts'
import { offer } from '#test/payments.ts'
import { STRIPE_KEY, STRIPE_SIGNING, useStripe } from '#test/stripe.ts'
import { type PageAnswer, type Visitor, visit } from '#test/visitor.ts'

const stripe = useStripe(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { stripe: stripe.url }, vies: '' }) })

type Unpaid = { at: OpenShop; guest: Visitor; id: number; path: string }

/** An order whose first payment has come to nothing. */
async function anUnpaidOrder(at: OpenShop, fields: Record<string, string>): Promise<Unpaid> {
  const guest = at.guest()
  await put(guest, at.base, await aFilm(service, at.shop))
  await tell(guest, at.base, { email: anEmail() })
  const { location = '' } = await guest.submit(`${at.base}/checkout/pay`, fields)
  const path = location.replace(/\/continue$/, '')
  return { at, guest, id: orderIdOn(await guest.get(path)), path }
}

const declinedOrder = async () => anUnpaidOrder(await openCheckout(service), { gateway: 'Test', card: CARDS.fails })

async function stripeShop(): Promise<OpenShop> {
  const at = await openCheckout(service)
  const keys = { enabled: true, secret_key: STRIPE_KEY, webhook_secret: STRIPE_SIGNING }
  await offer(service, at.shop, { test: { enabled: false }, stripe: keys })
  return at
}

/** An order whose session at Stripe exists, but the service was cut off before it heard of it. */
async function anOrderWithoutAnswer(): Promise<Unpaid> {
  const at = await stripeShop()
  stripe.troubles.push('loses the answer', 'loses the answer')
  const guest = at.guest()
  await put(guest, at.base, await aFilm(service, at.shop))
  await tell(guest, at.base, { email: anEmail() })
  await guest.submit(`${at.base}/checkout/pay`, { gateway: 'Stripe' })
  const { location: path = '' } = await guest.post(`${at.base}/checkout/pay`, {
    gateway: 'Stripe',
    total: '1190',
    currency: 'EUR',
  })
  return { at, guest, path, id: orderIdOn(await guest.get(path)) }
}

const sessionsOf = ({ path }: Unpaid) =>
  [...stripe.sessions.values()].filter(({ success_url }) => success_url.includes(path))

/** A browser that knows the shop by another host, to which Stripe would have to send it back. */
const elsewhere = () => visit(service.url.replace('127.0.0.1', 'localhost'), OURS)

const press = ({ guest, path }: Unpaid, fields: Record<string, string>, browser = guest) =>
  browser.post(`${path}/pay`, fields)

/** Holds the order until all requests wait for it, so that each was under way before the first has changed anything. */
async function atOnce({ at, id }: Unpaid, starts: (() => Promise<PageAnswer>)[]): Promise<PageAnswer[]> {
  const answers: Promise<PageAnswer>[] = []
  await inTransaction(service.db, async (tx) => {
    await sql`select id from orders where company_id = ${at.shop.companyId} and id = ${id} for update`.execute(tx)
    answers.push(...starts.map((start) => start()))
    await untilWaiting(service, starts.length)
  })
  return Promise.all(answers)
}

async function paymentsOf({ at, id }: Unpaid): Promise<Wire[]> {
  return (await at.shop.get(`/api/payments.json?order_id=${id}`)).body.payments
}

const statuses = async (order: Unpaid) => (await paymentsOf(order)).map(({ status, flags }) => [status, ...flags])

const financialStatus = async ({ at, id }: Unpaid) => (await readOrder(at.shop, id)).financial_status

describe('an order whose card was declined', () => {
  test('is paid once by three presses of the button at once, which all lead to the same page', async () => {
    const order = await declinedOrder()
    const again = () => press(order, { gateway: 'Test', card: CARDS.pays })
    const other = () => press(order, { gateway: 'Test', card: CARDS.pays }, order.at.guest())
    for (const answer of await atOnce(order, [again, again, other]))
      assert.deepEqual([answer.status, answer.location], [303, order.path])
    assert.deepEqual(await statuses(order), [['failed'], ['paid']])
    assert.equal(await financialStatus(order), 'paid')
    assert.equal(heading(await order.guest.get(order.path)), 'Thank you for your purchase')
    assert.equal((await press(order, { gateway: 'Test', card: CARDS.pays })).location, order.path)
    assert.equal((await paymentsOf(order)).length, 2)
  })

  test('has one payment that waits for its second step, however often the button is pressed', async () => {
    const order = await declinedOrder()
    const ask = () => press(order, { gateway: 'Test', card: CARDS.asks })
    await atOnce(order, [ask, ask, ask])
    assert.deepEqual(await statuses(order), [['failed'], ['created']])
    const approve = () => order.guest.post(`${order.path}/second-step`, { answer: 'approve' })
    const again = () => press(order, { gateway: 'Test', card: CARDS.pays })
    await atOnce(order, [approve, again, approve])
    assert.deepEqual(await statuses(order), [['failed'], ['paid']])
    assert.equal(await financialStatus(order), 'paid')
  })

  test('that is cancelled while the customer pays is not paid any more', async () => {
    const order = await declinedOrder()
    const now = nowInSeconds(service.clock)
    let pressed: Promise<PageAnswer> | undefined
    await inTransaction(service.db, async (tx) => {
      await cancelOrder(tx, order.at.shop, String(order.id), now)
      pressed = press(order, { gateway: 'Test', card: CARDS.pays })
      await untilWaiting(service, 1)
    })
    assert.equal((await pressed)?.location, order.path)
    assert.deepEqual(await statuses(order), [['failed']])
  })
})

describe('a payment that was left open', () => {
  test('of a test card goes on when the customer comes back', async () => {
    const order = await anUnpaidOrder(await openCheckout(service), { gateway: 'Test', card: CARDS.asks })
    service.clock.advance(600)
    await press(order, { gateway: 'Test', card: CARDS.pays })
    assert.equal(await financialStatus(order), 'paid')
  })

  test('at Stripe, before its answer came, goes on with the same session', async () => {
    stripe.done.length = 0
    const order = await anOrderWithoutAnswer()
    const { location = '' } = await press(order, { gateway: 'Stripe' })
    assert.equal(location, `${order.path}/continue`)
    assert.match((await order.guest.get(location)).text, /checkout\.stripe\.com\/c\/pay\//)
    assert.equal(stripe.done.filter((what) => what.startsWith('session')).length, 1)
    assert.deepEqual(await statuses(order), [['created']])
  })

  test('at Stripe, before its answer came, ends when the customer pays later on another host', async () => {
    const order = await anOrderWithoutAnswer()
    service.clock.advance(120)
    const other = elsewhere()
    const { status, location = '' } = await press(order, { gateway: 'Stripe' }, other)
    assert.deepEqual([status, location], [303, `${order.path}/continue`])
    assert.match((await other.get(location)).text, /checkout\.stripe\.com\/c\/pay\//)
    assert.deepEqual(await statuses(order), [['cancelled'], ['created']])
  })
})

test('a page of Stripe that is open can be reached from another host of the shop', async () => {
  const order = await anUnpaidOrder(await stripeShop(), { gateway: 'Stripe' })
  const other = elsewhere()
  const { status, text } = await other.get(`${order.path}/continue`)
  assert.equal(status, 200, text)
  const [session] = sessionsOf(order)
  assert.ok(session !== undefined && text.includes(session.url), text)
  stripe.sessions.set(session.id, { ...session, status: 'expired' })
  assert.equal((await other.get(`${order.path}/continue`)).location, order.path)
  assert.deepEqual(await statuses(order), [['cancelled']])
})

test('an order has no second session at Stripe while the first is being opened', async () => {
  const order = await anOrderWithoutAnswer()
  const [session] = sessionsOf(order)
  assert.ok(session !== undefined)
  let pressed: Promise<PageAnswer> | undefined
  await inTransaction(service.db, async (tx) => {
    await sql`select id from orders where company_id = ${order.at.shop.companyId} and id = ${order.id} for update`.execute(
      tx,
    )
    pressed = press(order, { gateway: 'Stripe' })
    await untilWaiting(service, 1)
    await sql`update payments set external_id = ${session.id}
      where company_id = ${order.at.shop.companyId} and order_id = ${order.id}`.execute(tx)
  })
  assert.equal((await pressed)?.location, `${order.path}/continue`)
  assert.deepEqual(await statuses(order), [['created']])
  assert.equal(sessionsOf(order).length, 1)
})

test('an order has one open session at Stripe, however often the button is pressed at once', async () => {
  const order = await anUnpaidOrder(await stripeShop(), { gateway: 'Stripe' })
  stripe.done.length = 0
  const again = () => press(order, { gateway: 'Stripe' })
  const answers = await atOnce(order, [again, again, again])
  for (const answer of answers) assert.deepEqual([answer.status, answer.location], [303, `${order.path}/continue`])
  assert.deepEqual(await statuses(order), [['cancelled'], ['created']])
  assert.deepEqual(
    stripe.done.map((what) => what.split(' ')[0]),
    ['expire', 'session'],
  )
  const sessions = sessionsOf(order)
  assert.deepEqual(
    sessions.map(({ status }) => status),
    ['expired', 'open'],
  )
  const [, open] = sessions
  assert.ok(open !== undefined)
  stripe.pay(open.id)
  await order.guest.get(open.success_url)
  assert.deepEqual(await statuses(order), [['cancelled'], ['paid']])
  assert.equal(await financialStatus(order), 'paid')
})

test('a cart is sold as the last page showed it, and not as another window has changed it since', async () => {
  const at = await openCheckout(service)
  const [guest, email] = [at.guest(), anEmail()]
  await put(guest, at.base, await aFilm(service, at.shop))
  const shown = await tell(guest, at.base, { email, first_name: 'Jane' })
  const changed = await guest.post(`${at.base}/checkout`, { email, first_name: 'Janet', country: 'DE' })
  assert.equal(changed.status, 303, changed.text)
  const press = (page: string) =>
    guest.post(`${at.base}/checkout/pay`, {
      cart_version: /name="cart_version" value="([^"]+)"/.exec(page)?.[1] ?? assert.fail(page),
      total: '1190',
      currency: 'EUR',
      gateway: 'Test',
      card: CARDS.pays,
      now: '1',
    })
  const refused = await press(shown.text)
  assert.equal(refused.status, 422)
  assert.equal((await at.shop.get('/api/orders/count.json')).body.count, 0)
  assert.equal((await press(refused.text)).status, 303)
  const [order] = (await at.shop.get('/api/orders.json')).body.orders
  assert.equal(order.customer.first_name, 'Janet')
})
