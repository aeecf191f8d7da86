import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { FOLLOW_REFUND } from '#selling/orders/refunds/jobs.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { claimDue } from '#test/jobs.ts'
import { aBuyer, aFilm, readOrder } from '#test/orders.ts'
import { contextOf, offer, placeToPay, workOf } from '#test/payments.ts'
import { askRefund, cancel, refund } from '#test/sales.ts'
import { STRIPE_KEY, STRIPE_SIGNING, useStripe } from '#test/stripe.ts'
import { payBack } from '../../pay-back.worker.ts'
import { startPayment } from '../../start.commands.ts'
import type { PaymentState } from '../../state.ts'

const stripe = useStripe(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { stripe: stripe.url }, vies: '' }) })

type Scene = { shop: Shop; customer: Wire; orderId: number; payment: PaymentState; intent: string }

const KEYS = { enabled: true, secret_key: STRIPE_KEY, webhook_secret: STRIPE_SIGNING }

/** An order of 11.90 that was paid through Stripe. */
async function aPaidOrder(): Promise<Scene> {
  const shop = await service.openShop()
  await offer(service, shop, { stripe: KEYS })
  const customer = await aBuyer(shop)
  const placed = await placeToPay(service, shop, customer, [await aFilm(service, shop)], 'Stripe')
  const { payment } = await startPayment(workOf(service), shop.companyId, placed.payment.id, contextOf())
  const session = stripe.pay(payment.external_id ?? '')
  const answer = await stripe.send(service, shop.companyId, 'checkout.session.completed', session)
  assert.equal(answer.status, 200, answer.text)
  return { shop, customer, ...placed, intent: session.payment_intent ?? '' }
}

async function readPayment({ shop, payment }: Scene): Promise<Wire> {
  return (await shop.get(`/api/payments/${payment.id}.json`)).body.payment
}

describe('a refund through Stripe', () => {
  const transactionOf = async ({ shop, orderId }: Scene) =>
    (await readOrder(shop, orderId)).refunds[0].transactions[0].status

  test('returns the money, and tells the customer then', async () => {
    const scene = await aPaidOrder()
    const { shop, orderId, customer } = scene
    await service.runJobs()
    assert.equal((await refund(shop, orderId, { amount: 500 })).transactions[0].status, 'pending')
    await service.runJobs()
    assert.equal(await transactionOf(scene), 'success')
    assert.equal(stripe.intents.get(scene.intent)!.refunded, 500)
    const payment = await readPayment(scene)
    assert.deepEqual([payment.status, payment.refunded_amount], ['partially_refunded', 500])
    const event = { payment_intent: scene.intent, currency: 'eur', amount_refunded: 500 }
    await stripe.send(service, shop.companyId, 'charge.refunded', event)
    assert.deepEqual((await readPayment(scene)).flags, [])
    const mails = await service.db
      .selectFrom('mails')
      .select('subject')
      .where('recipient', '=', customer.email)
      .execute()
    assert.equal(mails.filter(({ subject }) => /refund/i.test(subject)).length, 1)
    await refund(shop, orderId)
    await service.runJobs()
    assert.equal((await readPayment(scene)).status, 'refunded')
    assert.equal(stripe.intents.get(scene.intent)!.refunded, 1190)
  })

  test('is made once by two callers and two workers at once', async () => {
    const scene = await aPaidOrder()
    const answers = await Promise.all([1, 2].map(() => askRefund(scene.shop, scene.orderId)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
    const now = nowInSeconds(service.clock)
    const jobs = await claimDue(service.db, FOLLOW_REFUND, now, 50)
    const job = jobs.find(({ companyId }) => companyId === scene.shop.companyId)!
    stripe.done.length = 0
    const typed = job as Parameters<typeof payBack>[1]
    await Promise.all([payBack(workOf(service), typed), payBack(workOf(service), typed)])
    assert.deepEqual(stripe.done, ['refund 1190 eur'])
    assert.equal((await readPayment(scene)).refunded_amount, 1190)
  })

  test('is made once, although the worker dies before it can note it', async () => {
    const scene = await aPaidOrder()
    await refund(scene.shop, scene.orderId)
    stripe.done.length = 0
    // Stripe is first asked for refunds that it has. The answers are lost, also to the second try of the library.
    stripe.troubles.push('none', 'loses the answer', 'loses the answer')
    await service.runJobs()
    assert.equal(await transactionOf(scene), 'pending')
    assert.deepEqual(stripe.done, ['refund 1190 eur'])
    service.clock.advance(15)
    await service.runJobs()
    assert.equal(await transactionOf(scene), 'success')
    assert.deepEqual(stripe.done, ['refund 1190 eur'])
  })

  test('that Stripe refuses is shown to the owner, and can be tried again', async () => {
    const scene = await aPaidOrder()
    const { shop, orderId } = scene
    const intent = stripe.intents.get(scene.intent)!
    intent.refunded = intent.amount
    await refund(shop, orderId)
    await service.runJobs()
    assert.equal(await transactionOf(scene), 'failure')
    assert.deepEqual((await readPayment(scene)).flags, ['refund_failed'])
    intent.refunded = 0
    const again = await shop.post(`/api/orders/${orderId}/retry_refunds.json`)
    assert.equal(again.status, 200, again.text)
    assert.equal(await transactionOf(scene), 'pending')
    await service.runJobs()
    assert.equal(await transactionOf(scene), 'success')
    const third = await shop.post(`/api/orders/${orderId}/retry_refunds.json`)
    assert.deepEqual([third.status, third.body.reason], [409, 'no_refund_failed'])
  })

  test('that the balance at Stripe is too small for succeeds on the next try, and is made once', async () => {
    const scene = await aPaidOrder()
    const { shop, orderId } = scene
    stripe.done.length = 0
    stripe.isPoor = true
    await refund(shop, orderId)
    await service.runJobs()
    stripe.isPoor = false
    assert.deepEqual([await transactionOf(scene), stripe.done], ['failure', []])
    // Stripe answers the same key with the same refusal, so another one is needed.
    assert.equal((await shop.post(`/api/orders/${orderId}/retry_refunds.json`)).status, 200)
    await service.runJobs()
    assert.deepEqual([await transactionOf(scene), stripe.done], ['success', ['refund 1190 eur']])
  })

  test('goes on after a failure of Stripe that it has stored with the key, and is made once', async () => {
    for (const trouble of ['fails', 'fails after'] as const) {
      const scene = await aPaidOrder()
      await service.runJobs()
      stripe.done.length = 0
      await refund(scene.shop, scene.orderId, { amount: 500 })
      stripe.troubles.push('none', trouble)
      await service.runJobs()
      assert.equal(await transactionOf(scene), 'pending')
      service.clock.advance(15)
      await service.runJobs()
      assert.deepEqual([await transactionOf(scene), stripe.done], ['success', ['refund 500 eur']])
      assert.equal(stripe.intents.get(scene.intent)!.refunded, 500)
    }
  })

  test('is made once, although Stripe has forgotten the key when the worker comes back', async () => {
    const scene = await aPaidOrder()
    await service.runJobs()
    stripe.done.length = 0
    await refund(scene.shop, scene.orderId, { amount: 500 })
    stripe.troubles.push('none', 'loses the answer', 'loses the answer')
    await service.runJobs()
    service.clock.advance(2 * 86_400)
    const shop = await scene.shop.asUser(scene.shop.userId)
    await service.runJobs()
    assert.deepEqual([await transactionOf({ ...scene, shop }), stripe.done], ['success', ['refund 500 eur']])
  })

  test('of a cancelled order works, and a failure after days is shown', async () => {
    const scene = await aPaidOrder()
    await cancel(scene.shop, scene.orderId)
    await refund(scene.shop, scene.orderId)
    await service.runJobs()
    assert.equal((await readPayment(scene)).status, 'refunded')
    await stripe.send(service, scene.shop.companyId, 'refund.failed', { payment_intent: scene.intent })
    assert.deepEqual((await readPayment(scene)).flags, ['refund_failed'])
  })
})
