import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLog } from '#platform/log/log.ts'
import { useService } from '#test/harness.ts'
import { readOrder } from '#test/orders.ts'
import { workOf } from '#test/payments.ts'
import {
  aPeriod,
  aSubscriber,
  ask,
  gatewayOf,
  makeTrial,
  record,
  renew,
  type Subscriber,
  startFirst,
} from '#test/renewals.ts'
import { refund } from '#test/sales.ts'
import { STRIPE_KEY, STRIPE_SIGNING, useStripe } from '#test/stripe.ts'
import { getPayment } from '../../queries.ts'
import { confirmPayment } from '../../start.commands.ts'
import type { PaymentState } from '../../state.ts'
import { finishPayments } from '../../unfinished.worker.ts'

const stripe = useStripe(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { stripe: stripe.url }, vies: '' }) })

const KEYS = { enabled: true, secret_key: STRIPE_KEY, webhook_secret: STRIPE_SIGNING }

type Scene = { subscriber: Subscriber; first: PaymentState; method: string }

async function hasPaid(): Promise<Scene> {
  const subscriber = await aSubscriber(service, 'Stripe', { stripe: KEYS })
  const { payment } = await aPeriod(service, subscriber)
  const { payment_intent } = stripe.pay(await startFirst(service, payment))
  const first = await confirmPayment(workOf(service), payment.company_id, payment.token)
  stripe.done.length = 0
  return { subscriber, first, method: stripe.intents.get(payment_intent ?? '')?.payment_method ?? '' }
}

const read = ({ company_id, id }: PaymentState) => getPayment(service.db, company_id, String(id))

const latest = () => [...stripe.intents.values()].at(-1)!

async function send({ shop }: Subscriber, type: string, object: object): Promise<void> {
  const { status, text } = await stripe.send(service, shop.companyId, type, object)
  assert.equal(status, 200, text)
}

const statusOf = async ({ shop }: Subscriber, orderId: number) =>
  (await readOrder(await shop.asUser(shop.userId), orderId)).financial_status

describe('news of a renewal', () => {
  test('that come before the answer, and more than once, are followed once', async () => {
    const { subscriber, first } = await hasPaid()
    const { orderId, payment } = await aPeriod(service, subscriber)
    const answer = await ask(service, subscriber, first, payment)
    for (let time = 0; time < 2; time += 1) await send(subscriber, 'payment_intent.succeeded', latest())
    assert.equal(await statusOf(subscriber, orderId), 'paid')
    await record(service, payment, answer)
    await send(subscriber, 'payment_intent.succeeded', latest())
    const { status, flags, reference, paid_cents } = await read(payment)
    assert.deepEqual([status, flags, reference, paid_cents], ['paid', [], latest().id, 1190])
  })

  test('of a direct debit come after days, from Stripe or when it is asked', async () => {
    for (const [changes, type, status, failure] of [
      [{ status: 'succeeded', amount_received: 1190 }, 'payment_intent.succeeded', 'paid', null],
      [
        {
          status: 'requires_payment_method',
          last_payment_error: { type: 'card_error', code: 'payment_intent_payment_attempt_failed', message: '' },
        },
        ...(['payment_intent.payment_failed', 'failed', 'payment_intent_payment_attempt_failed'] as const),
      ],
    ] as const)
      for (const isSent of [true, false]) {
        const { subscriber, first, method } = await hasPaid()
        stripe.says.set(method, 'processing')
        const { orderId, payment } = await renew(service, subscriber, first)
        const before = latest()
        await send(subscriber, 'payment_intent.processing', before)
        assert.deepEqual([(await read(payment)).status, await statusOf(subscriber, orderId)], ['pending', 'pending'])
        const after = stripe.finish(before.id, changes)
        service.clock.advance(3 * 86_400)
        if (isSent) await send(subscriber, type, after)
        await finishPayments(workOf(service), createLog('silent'))
        const known = await read(payment)
        assert.deepEqual([known.status, known.failure, known.flags], [status, failure, []])
        assert.equal(await statusOf(subscriber, orderId), status === 'paid' ? 'paid' : 'pending')
        assert.deepEqual(stripe.done, ['charge 1190 eur'])
        // Stripe sends its news in any order.
        if (status !== 'paid') continue
        await send(subscriber, 'payment_intent.processing', before)
        assert.equal((await read(payment)).status, 'paid')
      }
  })

  test('of the bank that declines it are followed before the answer', async () => {
    const { subscriber, first, method } = await hasPaid()
    stripe.says.set(method, { code: 'authentication_required', decline_code: 'authentication_required' })
    const { payment } = await aPeriod(service, subscriber)
    const answer = await ask(service, subscriber, first, payment)
    await send(subscriber, 'payment_intent.payment_failed', latest())
    assert.deepEqual(
      [(await read(payment)).status, (await read(payment)).failure],
      ['failed', 'authentication_required'],
    )
    assert.deepEqual(await record(service, payment, answer), await read(payment))
  })

  test('with another amount are shown to the owner, and those of another company change nothing', async () => {
    const { subscriber, first } = await hasPaid()
    const other = await hasPaid()
    const { orderId, payment } = await aPeriod(service, subscriber)
    await ask(service, subscriber, first, payment)
    await send(other.subscriber, 'payment_intent.succeeded', latest())
    assert.equal((await read(payment)).status, 'created')
    await send(subscriber, 'payment_intent.succeeded', { ...latest(), amount_received: 1189 })
    assert.deepEqual((await read(payment)).flags, ['amount_differs'])
    assert.equal(await statusOf(subscriber, orderId), 'pending')
  })

  test('of the intent of a session are left to the session', async () => {
    const subscriber = await aSubscriber(service, 'Stripe', { stripe: KEYS })
    const { payment } = await aPeriod(service, subscriber)
    const session = stripe.pay(await startFirst(service, payment))
    const intent = stripe.intents.get(session.payment_intent ?? '')!
    assert.equal(intent.metadata.licet_payment, String(payment.id))
    await send(subscriber, 'payment_intent.succeeded', intent)
    assert.equal((await read(payment)).status, 'created')
    await send(subscriber, 'checkout.session.completed', session)
    await send(subscriber, 'payment_intent.succeeded', intent)
    assert.deepEqual([(await read(payment)).status, (await read(payment)).flags], ['paid', []])
  })

  test('that Stripe does not send like this are refused', async () => {
    const { shop } = await aSubscriber(service, 'Stripe', { stripe: KEYS })
    for (const object of [{}, { id: 'pi_1', status: 'succeeded', amount_received: -1, currency: 'eur' }])
      assert.equal((await stripe.send(service, shop.companyId, 'payment_intent.succeeded', object)).status, 400)
  })
})

describe('a trial', () => {
  test('saves a card and charges nothing, until the first period is charged', async () => {
    for (const isSent of [true, false]) {
      const subscriber = await aSubscriber(service, 'Stripe', { stripe: KEYS })
      const { orderId, payment } = await aPeriod(service, subscriber)
      await makeTrial(service, payment)
      stripe.done.length = 0
      const id = await startFirst(service, payment)
      const back = () => confirmPayment(workOf(service), payment.company_id, payment.token)
      // Stripe says of such a session from the beginning that no payment is required.
      assert.equal((await back()).status, 'created')
      const session = stripe.pay(id)
      if (isSent) await send(subscriber, 'checkout.session.completed', session)
      const trial = await back()
      assert.deepEqual([trial.status, trial.paid_cents, trial.flags], ['paid', 0, []])
      assert.equal(trial.reference, session.setup_intent)
      assert.equal(await statusOf(subscriber, orderId), 'paid')
      const gateway = await gatewayOf(service, subscriber)
      assert.deepEqual(await gateway.describeMeans!(trial), { brand: 'Visa', last4: '4242', expires: '2028-09' })
      const period = await renew(service, subscriber, trial)
      assert.deepEqual([period.payment.status, await statusOf(subscriber, period.orderId)], ['paid', 'paid'])
      // The session names the card, too.
      assert.equal((await renew(service, subscriber, { ...trial, reference: null })).payment.status, 'paid')
      assert.deepEqual(stripe.done, ['setup session', 'charge 1190 eur', 'charge 1190 eur'])
    }
  })

  test('that nobody finishes is cancelled', async () => {
    const subscriber = await aSubscriber(service, 'Stripe', { stripe: KEYS })
    const { payment } = await aPeriod(service, subscriber)
    await makeTrial(service, payment)
    const session = stripe.sessions.get(await startFirst(service, payment))!
    await send(subscriber, 'checkout.session.expired', { ...session, status: 'expired' })
    assert.equal((await read(payment)).status, 'cancelled')
  })
})

test('a renewal is refunded and disputed like any other payment', async () => {
  const { subscriber, first } = await hasPaid()
  const { orderId, payment } = await renew(service, subscriber, first)
  await refund(subscriber.shop, orderId, { amount: 500 })
  await service.runJobs()
  assert.deepEqual(stripe.done, ['charge 1190 eur', 'refund 500 eur'])
  assert.equal(stripe.intents.get(payment.reference ?? '')?.refunded, 500)
  assert.equal((await read(payment)).status, 'partially_refunded')
  assert.equal((await read(first)).refunded_cents, 0)
  await send(subscriber, 'charge.dispute.created', { payment_intent: payment.reference })
  assert.deepEqual((await read(payment)).flags, ['disputed'])
})
