import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, readOrder } from '#test/orders.ts'
import { contextOf, offer, placeToPay, workOf } from '#test/payments.ts'
import { STRIPE_KEY, STRIPE_SIGNING, useStripe } from '#test/stripe.ts'
import { deleteOldEarlyEvents } from '../../early-events.commands.ts'
import { confirmPayment, startPayment } from '../../start.commands.ts'
import type { PaymentState } from '../../state.ts'

const stripe = useStripe(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { stripe: stripe.url }, vies: '' }) })

type Scene = { shop: Shop; orderId: number; payment: PaymentState }

const KEYS = { enabled: true, secret_key: STRIPE_KEY, webhook_secret: STRIPE_SIGNING }

async function anOrderToPay(): Promise<Scene> {
  const shop = await service.openShop()
  await offer(service, shop, { stripe: KEYS })
  return { shop, ...(await placeToPay(service, shop, await aBuyer(shop), [await aFilm(service, shop)], 'Stripe')) }
}

/** Starts the payment and returns the id of its session. */
async function startedSession({ payment }: Scene): Promise<string> {
  const started = await startPayment(workOf(service), payment.company_id, payment.id, contextOf())
  assert.ok(started.payment.external_id !== null)
  return started.payment.external_id
}

async function readPayment({ shop, payment }: Scene): Promise<Wire> {
  return (await shop.get(`/api/payments/${payment.id}.json`)).body.payment
}

const statusOf = async ({ shop, orderId }: Scene) => (await readOrder(shop, orderId)).financial_status

describe('an event of money whose payment is not known yet', () => {
  const refundOf = (intent: string | null, amount_refunded = 500) => ({
    payment_intent: intent,
    currency: 'eur',
    amount_refunded,
  })
  const countKept = async ({ shop }: Scene) =>
    (await service.db.selectFrom('early_payment_events').where('company_id', '=', shop.companyId).selectAll().execute())
      .length

  test('is kept, and shown to the owner once the payment has arrived, however often it comes', async () => {
    const scene = await anOrderToPay()
    const { companyId } = scene.shop
    const paid = stripe.pay(await startedSession(scene))
    const send = async (type: string, object: object) =>
      assert.equal((await stripe.send(service, companyId, type, object)).status, 200)
    for (const amount of [1190, 500, 1190]) await send('charge.refunded', refundOf(paid.payment_intent, amount))
    for (let time = 0; time < 2; time += 1) {
      await send('charge.dispute.created', { payment_intent: paid.payment_intent })
      await send('refund.failed', { payment_intent: paid.payment_intent })
    }
    assert.deepEqual([(await readPayment(scene)).flags, await statusOf(scene)], [[], 'pending'])
    for (let time = 0; time < 2; time += 1) {
      await send('checkout.session.completed', paid)
      const { flags, status } = await readPayment(scene)
      assert.deepEqual([flags.sort(), status], [['disputed', 'refund_failed', 'refunded_elsewhere'], 'paid'])
      assert.equal(await countKept(scene), 0)
    }
    await service.runJobs()
    const { email } = await service.db
      .selectFrom('users')
      .select('email')
      .where('company_id', '=', companyId)
      .executeTakeFirstOrThrow()
    const mails = await service.db.selectFrom('mails').select('subject').where('recipient', '=', email).execute()
    assert.equal(mails.length, 3, mails.map(({ subject }) => subject).join())
    // What the owner has looked at is not shown again by the same news.
    await send('charge.refunded', refundOf(paid.payment_intent, 1190))
    assert.equal((await readPayment(scene)).flags.length, 3)
  })

  test('is found when the service has asked Stripe itself', async () => {
    const scene = await anOrderToPay()
    const paid = stripe.pay(await startedSession(scene))
    await stripe.send(service, scene.shop.companyId, 'charge.refunded', refundOf(paid.payment_intent))
    await confirmPayment(workOf(service), scene.shop.companyId, scene.payment.token, {})
    assert.deepEqual((await readPayment(scene)).flags, ['refunded_elsewhere'])
  })

  test('is not lost if both arrive at the same moment', async () => {
    const scenes = await Promise.all(Array.from({ length: 6 }, () => anOrderToPay()))
    for (const scene of scenes) {
      const paid = stripe.pay(await startedSession(scene))
      const send = (type: string, object: object) => stripe.send(service, scene.shop.companyId, type, object)
      const answers = await Promise.all([
        send('checkout.session.completed', paid),
        send('charge.refunded', refundOf(paid.payment_intent)),
        send('checkout.session.completed', paid),
        send('charge.refunded', refundOf(paid.payment_intent)),
      ])
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.deepEqual((await readPayment(scene)).flags, ['refunded_elsewhere'])
    }
  })

  test('belongs to its company alone, and is forgotten after a month', async () => {
    const scene = await anOrderToPay()
    const other = await anOrderToPay()
    const paid = stripe.pay(await startedSession(scene))
    await stripe.send(service, other.shop.companyId, 'charge.refunded', refundOf(paid.payment_intent))
    await stripe.send(service, scene.shop.companyId, 'checkout.session.completed', paid)
    assert.deepEqual([(await readPayment(scene)).flags, await countKept(other)], [[], 1])
    const inDays = (days: number) => new Date(service.clock.now().getTime() + days * 86_400_000)
    await inTransaction(service.db, (tx) => deleteOldEarlyEvents(tx, inDays(29)))
    assert.equal(await countKept(other), 1)
    await inTransaction(service.db, (tx) => deleteOldEarlyEvents(tx, inDays(31)))
    assert.equal(await countKept(other), 0)
  })
})
