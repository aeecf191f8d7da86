import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLog } from '#platform/log/log.ts'
import { ownerPage } from '#test/admin.ts'
import { aPrice, BUY, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, readOrder, someGoods } from '#test/orders.ts'
import { contextOf, offer, placeToPay, workOf } from '#test/payments.ts'
import { STRIPE_KEY, STRIPE_SIGNING, useStripe } from '#test/stripe.ts'
import { confirmPayment, openNextPayment, startPayment } from '../../start.commands.ts'
import type { PaymentState } from '../../state.ts'
import { finishPayments } from '../../unfinished.worker.ts'
import { toCents, toMinorUnits } from './rules.ts'

const stripe = useStripe(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { stripe: stripe.url }, vies: '' }) })

type Scene = { shop: Shop; customer: Wire; orderId: number; payment: PaymentState }

const KEYS = { enabled: true, secret_key: STRIPE_KEY, webhook_secret: STRIPE_SIGNING }

async function anOrderToPay(film?: (shop: Shop) => Promise<Wire>, attributes: object = {}): Promise<Scene> {
  const shop = await service.openShop()
  await offer(service, shop, { stripe: KEYS })
  const customer = await aBuyer(shop)
  const product = film === undefined ? await aFilm(service, shop) : await film(shop)
  return { shop, customer, ...(await placeToPay(service, shop, customer, [product], 'Stripe', attributes)) }
}

const start = ({ payment }: Pick<Scene, 'payment'>) =>
  startPayment(workOf(service), payment.company_id, payment.id, contextOf())

/** Starts the payment and returns the id of its session. */
async function startedSession(scene: Scene): Promise<string> {
  const { payment } = await start(scene)
  assert.ok(payment.external_id !== null)
  return payment.external_id
}

/** An order that was paid through Stripe. */
async function aPaidOrder(): Promise<Scene & { intent: string }> {
  const scene = await anOrderToPay()
  const session = stripe.pay(await startedSession(scene))
  const answer = await stripe.send(service, scene.shop.companyId, 'checkout.session.completed', session)
  assert.equal(answer.status, 200, answer.text)
  return { ...scene, intent: session.payment_intent ?? '' }
}

/** The tokens of a shop end with the time. */
async function later(scene: Scene, seconds: number): Promise<Scene> {
  service.clock.advance(seconds)
  return { ...scene, shop: await scene.shop.asUser(scene.shop.userId) }
}

async function readPayment({ shop, payment }: Scene): Promise<Wire> {
  return (await shop.get(`/api/payments/${payment.id}.json`)).body.payment
}

const statusOf = async ({ shop, orderId }: Scene) => (await readOrder(shop, orderId)).financial_status

describe('a payment through Stripe', () => {
  test('leads to Stripe and back, and is paid when the event comes', async () => {
    const scene = await anOrderToPay()
    const { next } = await start(scene)
    assert.ok(next.kind === 'redirect' && next.url.startsWith('https://checkout.stripe.com/'))
    const [session] = [...stripe.sessions.values()].slice(-1)
    assert.deepEqual([session!.amount_total, session!.currency], [1190, 'eur'])
    assert.equal(session!.success_url, contextOf().returnUrl)
    const back = () => confirmPayment(workOf(service), scene.shop.companyId, scene.payment.token)
    assert.equal((await back()).status, 'created')
    const paid = stripe.pay(session!.id)
    const events = await Promise.all(
      [1, 2].map(() => stripe.send(service, scene.shop.companyId, 'checkout.session.completed', paid)),
    )
    assert.deepEqual(
      events.map(({ status }) => status),
      [200, 200],
    )
    assert.equal((await back()).status, 'paid')
    const order = await readOrder(scene.shop, scene.orderId)
    assert.deepEqual(
      [order.financial_status, order.gateway, order.test, order.confirmed],
      ['paid', 'Stripe', false, true],
    )
    const { reference, flags } = await readPayment(scene)
    assert.deepEqual([reference, flags], [paid.payment_intent, []])
  })

  test('is paid when the customer comes back before the event', async () => {
    const scene = await anOrderToPay()
    const paid = stripe.pay(await startedSession(scene))
    const [{ status }] = await Promise.all([
      confirmPayment(workOf(service), scene.shop.companyId, scene.payment.token),
      stripe.send(service, scene.shop.companyId, 'checkout.session.completed', paid),
    ])
    assert.equal(status, 'paid')
    assert.deepEqual((await readPayment(scene)).flags, [])
  })

  test('is found by its id if the event comes before the name of the session is stored', async () => {
    const scene = await anOrderToPay()
    const paid = stripe.pay(await startedSession(scene))
    await service.db.updateTable('payments').set({ external_id: null }).where('id', '=', scene.payment.id).execute()
    await stripe.send(service, scene.shop.companyId, 'checkout.session.completed', paid)
    assert.equal(await statusOf(scene), 'paid')
  })

  test('is started once, although the connection is lost or the customer reloads', async () => {
    const scene = await anOrderToPay()
    stripe.done.length = 0
    stripe.troubles.push('loses the answer', 'loses the answer')
    await assert.rejects(() => start(scene), { reason: 'payment_gateway_unavailable' })
    const first = await startedSession(scene)
    assert.equal(await startedSession(scene), first)
    assert.deepEqual(stripe.done, ['session 1190 eur'])
  })

  test('that Stripe refuses has failed, and says why', async () => {
    const scene = await anOrderToPay((shop) => aFilm(service, shop, 10))
    const { payment, next } = await start(scene)
    assert.deepEqual([payment.status, payment.failure, next.kind], ['failed', 'amount_too_small', 'done'])
  })

  test('charges whole units of a currency that has no smaller ones', async () => {
    const inYen = async (shop: Shop) => {
      const price = await aPrice(service, shop, { currencies: [{ currency: 'jpy', price: 150_000 }] })
      return aFilm(service, shop, 0, { price_license_binding: [{ license_id: BUY, price_id: price.id }] })
    }
    const scene = await anOrderToPay(inYen, { currency: 'JPY' })
    const session = stripe.pay(await startedSession(scene))
    assert.deepEqual([session.amount_total, session.currency], [1500, 'jpy'])
    await stripe.send(service, scene.shop.companyId, 'checkout.session.completed', session)
    assert.equal(await statusOf(scene), 'paid')
    assert.equal((await readPayment(scene)).paid_amount, 150_000)
  })

  test('waits for money that takes days', async () => {
    const scene = await anOrderToPay()
    const session = stripe.pay(await startedSession(scene), { payment_status: 'unpaid' })
    const send = (type: string, object: object) => stripe.send(service, scene.shop.companyId, type, object)
    await send('checkout.session.completed', session)
    assert.equal((await readPayment(scene)).status, 'pending')
    const after = await later(scene, 86_400)
    await finishPayments(workOf(service), createLog('silent'))
    assert.equal((await readOrder(after.shop, after.orderId)).cancelled_at, null)
    await send('checkout.session.async_payment_failed', session)
    assert.deepEqual([(await readPayment(after)).status, await statusOf(after)], ['failed', 'pending'])
    await send('checkout.session.async_payment_succeeded', { ...session, payment_status: 'paid' })
    assert.deepEqual([(await readPayment(after)).status, await statusOf(after)], ['paid', 'paid'])
  })

  test('that ended without an event is found by the worker', async () => {
    const paid = await anOrderToPay()
    const left = await anOrderToPay((shop) => someGoods(service, shop, 5))
    stripe.pay(await startedSession(paid))
    const session = stripe.sessions.get(await startedSession(left))!
    stripe.sessions.set(session.id, { ...session, status: 'expired' })
    service.clock.advance(660)
    await finishPayments(workOf(service), createLog('silent'))
    assert.deepEqual([await statusOf(paid), (await readPayment(left)).status], ['paid', 'cancelled'])
    const after = await later(left, 3700)
    await finishPayments(workOf(service), createLog('silent'))
    const { cancelled_at, line_items } = await readOrder(after.shop, after.orderId)
    assert.ok(cancelled_at !== null)
    const { products } = (await after.shop.get(`/api/products.json?query=product_id:${line_items[0].product_id}`)).body
    assert.equal(products[0].items_in_stock, 5)
  })
})

describe('another attempt', () => {
  const again = ({ shop, orderId }: Scene) => openNextPayment(workOf(service), shop.companyId, orderId, 'Stripe')

  test('ends the page of the one before', async () => {
    const scene = await anOrderToPay()
    const first = await startedSession(scene)
    const payment = await again(scene)
    assert.ok(payment !== undefined)
    const second = await startedSession({ ...scene, payment })
    assert.deepEqual([stripe.sessions.get(first)?.status, stripe.sessions.get(second)?.status], ['expired', 'open'])
    assert.equal((await readPayment(scene)).status, 'cancelled')
  })

  test('is not made if the customer has paid on the page of the one before', async () => {
    const scene = await anOrderToPay()
    stripe.pay(await startedSession(scene))
    assert.equal(await again(scene), undefined)
    assert.equal(await statusOf(scene), 'paid')
    const slow = await anOrderToPay()
    stripe.pay(await startedSession(slow), { payment_status: 'unpaid' })
    assert.equal(await again(slow), undefined)
    assert.equal((await readPayment(slow)).status, 'pending')
  })

  test('is made although Stripe does not answer', async () => {
    const scene = await anOrderToPay()
    await startedSession(scene)
    stripe.troubles.push('fails', 'fails')
    assert.equal((await again(scene))?.status, 'created')
    stripe.troubles.length = 0
  })
})

describe('an event', () => {
  test('without a valid signature is refused', async () => {
    const scene = await anOrderToPay()
    const paid = stripe.pay(await startedSession(scene))
    const send = (options: object) =>
      stripe.send(service, scene.shop.companyId, 'checkout.session.completed', paid, options)
    const wrong = [
      await send({ secret: 'whsec_another' }),
      await send({ at: Date.now() / 1000 - 400 }),
      await send({ at: Date.now() / 1000 + 400 }),
      await send({ at: Date.now() / 1000 + 86_400 * 365 }),
      await send({ body: (text: string) => text.replace('1190', '1191') }),
      await service.call('POST', `/payments/${scene.shop.companyId}/stripe`, { body: '{}' }),
      await service.call('POST', '/payments/none/stripe', { body: '{}' }),
    ]
    assert.deepEqual(
      wrong.map(({ status, body }) => [status, body.reason]),
      wrong.map(() => [400, 'payment_event_refused']),
    )
    assert.equal(await statusOf(scene), 'pending')
  })

  test('of another company or about something else changes nothing', async () => {
    const scene = await anOrderToPay()
    const other = await anOrderToPay()
    const paid = stripe.pay(await startedSession(scene))
    // Both companies have the same account at Stripe.
    const strange = await stripe.send(service, other.shop.companyId, 'checkout.session.completed', paid)
    const unknown = await stripe.send(service, scene.shop.companyId, 'customer.created', { id: 'cus_1' })
    assert.deepEqual([strange.status, unknown.status], [200, 200])
    assert.deepEqual([await statusOf(scene), await statusOf(other)], ['pending', 'pending'])
  })

  test('for a company without Stripe is refused', async () => {
    const shop = await service.openShop()
    const answer = await stripe.send(service, shop.companyId, 'checkout.session.completed', {})
    assert.deepEqual([answer.status, answer.body.reason], [400, 'payment_event_refused'])
  })

  test('of a dispute, or of a refund in the dashboard, is shown to the owner', async () => {
    const scene = await aPaidOrder()
    const { companyId } = scene.shop
    const charge = { payment_intent: scene.intent, currency: 'eur', amount_refunded: 500 }
    await stripe.send(service, companyId, 'charge.dispute.created', { payment_intent: scene.intent })
    await stripe.send(service, companyId, 'charge.refunded', charge)
    assert.deepEqual((await readPayment(scene)).flags, ['disputed', 'refunded_elsewhere'])
  })
})

describe('the keys of Stripe', () => {
  test('are stored encrypted, shown by their end, and needed to turn it on', async () => {
    const shop = await service.openShop()
    const page = await ownerPage(service, shop)
    const put = (settings: object) => page.put('/payment_settings.json', { payment_settings: { stripe: settings } })
    const early = await put({ enabled: true })
    assert.deepEqual([early.status, early.body.reason], [422, 'payment_key_missing'])
    const wrong = await put({ secret_key: 'pk_live_1', webhook_secret: 'secret' })
    assert.deepEqual(Object.keys(wrong.body.errors), ['stripe.secret_key', 'stripe.webhook_secret'])
    const { body, text } = await put(KEYS)
    assert.deepEqual(body.payment_settings.stripe, {
      enabled: true,
      secret_key_hint: STRIPE_KEY.slice(-4),
      test_mode: false,
      has_webhook_secret: true,
      webhook_url: `${service.url}/payments/${shop.companyId}/stripe`,
    })
    assert.ok(!text.includes(STRIPE_KEY))
    const [stored] = await service.db
      .selectFrom('payment_gateways')
      .select('secrets')
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.ok(!stored!.secrets!.includes(STRIPE_KEY))
    assert.ok(!service.log.join('').includes(STRIPE_KEY))
    const test = await put({ secret_key: 'sk_test_1' })
    assert.equal(test.body.payment_settings.stripe.test_mode, true)
    const off = await put({ secret_key: '' })
    assert.deepEqual(
      [off.body.payment_settings.stripe.enabled, off.body.payment_settings.stripe.has_webhook_secret],
      [false, false],
    )
  })
})

test('amounts are in the smallest units that Stripe takes', () => {
  for (const [cents, currency, units] of [
    [1190, 'EUR', 1190],
    [150_000, 'JPY', 1500],
    [150_050, 'JPY', undefined],
    [1234, 'KWD', 12_340],
    [500, 'ISK', 500],
  ] as const) {
    assert.equal(toMinorUnits(cents, currency), units)
    if (units !== undefined) assert.equal(toCents(units, currency.toLowerCase()), cents)
  }
})
