import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { readOrder } from '#test/orders.ts'
import { workOf } from '#test/payments.ts'
import { aPeriod, aSubscriber, ask, gatewayOf, record, renew, type Subscriber, startFirst } from '#test/renewals.ts'
import { STRIPE_KEY, STRIPE_SIGNING, useStripe } from '#test/stripe.ts'
import { getPayment } from '../../queries.ts'
import { confirmPayment } from '../../start.commands.ts'
import type { PaymentState } from '../../state.ts'
import { describeMethod, failureOf } from './rules.ts'

const stripe = useStripe(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { stripe: stripe.url }, vies: '' }) })

const KEYS = { enabled: true, secret_key: STRIPE_KEY, webhook_secret: STRIPE_SIGNING }
const TWO_DAYS = 2 * 86_400

type Scene = { subscriber: Subscriber; first: PaymentState; method: string }

/** Somebody who has paid for the first period, and the card. */
async function hasPaid(keepsMeans = true): Promise<Scene> {
  const subscriber = await aSubscriber(service, 'Stripe', { stripe: KEYS })
  const { payment } = await aPeriod(service, subscriber)
  const { payment_intent } = stripe.pay(await startFirst(service, payment, keepsMeans))
  const first = await confirmPayment(workOf(service), payment.company_id, payment.token)
  assert.equal(first.status, 'paid')
  stripe.done.length = 0
  return { subscriber, first, method: stripe.intents.get(payment_intent ?? '')?.payment_method ?? '' }
}

const read = ({ company_id, id }: PaymentState) => getPayment(service.db, company_id, String(id))

const paidBy = (reference: string) => ({ kind: 'paid', amountCents: 1190, currency: 'EUR', reference }) as const

/** The newest charge without the customer. */
const latest = () => [...stripe.intents.values()].at(-1)!

describe('a renewal through Stripe', () => {
  test('charges what the first payment was paid with, again and again', async () => {
    const { subscriber, first } = await hasPaid()
    const second = await renew(service, subscriber, first)
    const third = await renew(service, subscriber, second.payment)
    assert.deepEqual(stripe.done, ['charge 1190 eur', 'charge 1190 eur'])
    for (const { orderId, payment } of [second, third]) {
      const order = await readOrder(subscriber.shop, orderId)
      assert.deepEqual([order.financial_status, order.gateway, order.confirmed], ['paid', 'Stripe', true])
      assert.deepEqual([payment.status, payment.flags, payment.external_id], ['paid', [], null])
      const { metadata } = stripe.intents.get(payment.reference ?? '')!
      assert.deepEqual(metadata, {
        licet_company: String(subscriber.shop.companyId),
        licet_order: String(orderId),
        licet_payment: String(payment.id),
        licet_again: 'true',
      })
    }
    assert.notEqual(second.payment.reference, third.payment.reference)
    const gateway = await gatewayOf(service, subscriber)
    const means = { brand: 'Visa', last4: '4242', expires: '2028-09' }
    assert.deepEqual(await gateway.describeMeans!(first), means)
    assert.deepEqual(await gateway.describeMeans!(third.payment), means)
  })

  test('is not made with a payment that has saved nothing', async () => {
    const { subscriber, first } = await hasPaid(false)
    const { payment } = await renew(service, subscriber, first)
    assert.deepEqual([payment.status, payment.failure, stripe.done], ['failed', 'means_missing', []])
    assert.equal(await (await gatewayOf(service, subscriber)).describeMeans!(first), null)
  })

  test('is made once, although the program is killed before it can note it, and by two at once', async () => {
    const { subscriber, first } = await hasPaid()
    const { payment } = await aPeriod(service, subscriber)
    const answer = await ask(service, subscriber, first, payment)
    const again = await Promise.all([1, 2].map(() => ask(service, subscriber, first, payment)))
    assert.deepEqual(
      [answer, ...again],
      [1, 2, 3].map(() => paidBy(latest().id)),
    )
    assert.deepEqual(stripe.done, ['charge 1190 eur'])
    for (const report of again) assert.deepEqual((await record(service, payment, report)).flags, [])
    const other = await aPeriod(service, subscriber)
    await Promise.all([1, 2].map(() => ask(service, subscriber, first, other.payment)))
    assert.deepEqual(stripe.done, ['charge 1190 eur', 'charge 1190 eur'])
  })

  test('is made once, although the connection is lost before or after Stripe has taken the charge', async () => {
    for (const trouble of ['loses the request', 'loses the answer'] as const) {
      const { subscriber, first } = await hasPaid()
      const { payment } = await aPeriod(service, subscriber)
      // Stripe is asked for the card and for earlier tries before it is asked to charge, and the library tries that twice.
      stripe.troubles.push('none', 'none', trouble, trouble)
      await assert.rejects(() => ask(service, subscriber, first, payment), { reason: 'payment_gateway_unavailable' })
      assert.equal(stripe.done.length, trouble === 'loses the answer' ? 1 : 0)
      assert.deepEqual(await ask(service, subscriber, first, payment), paidBy(latest().id))
      assert.deepEqual(stripe.done, ['charge 1190 eur'])
    }
  })

  test('is made once, although Stripe has forgotten the key when it is asked again', async () => {
    const { subscriber, first } = await hasPaid()
    const { payment } = await aPeriod(service, subscriber)
    stripe.troubles.push('none', 'none', 'loses the answer', 'loses the answer')
    await assert.rejects(() => ask(service, subscriber, first, payment))
    service.clock.advance(TWO_DAYS)
    assert.deepEqual(await ask(service, subscriber, first, payment), paidBy(latest().id))
    assert.deepEqual(stripe.done, ['charge 1190 eur'])
  })

  test('goes on after a failure of Stripe that it has stored with the key, and is made once', async () => {
    for (const trouble of ['fails', 'fails after'] as const) {
      const { subscriber, first } = await hasPaid()
      const { payment } = await aPeriod(service, subscriber)
      stripe.troubles.push('none', 'none', trouble)
      await assert.rejects(() => ask(service, subscriber, first, payment), { reason: 'payment_gateway_unavailable' })
      assert.deepEqual(await ask(service, subscriber, first, payment), paidBy(latest().id))
      assert.deepEqual(stripe.done, ['charge 1190 eur'])
    }
  })
})

describe('a renewal that the bank declines', () => {
  for (const [says, failure] of [
    [{ code: 'authentication_required', decline_code: 'authentication_required' }, 'authentication_required'],
    [{ code: 'card_declined', decline_code: 'insufficient_funds' }, 'insufficient_funds'],
    [{ code: 'card_declined', decline_code: 'generic_decline' }, 'card_declined'],
    [{ code: 'expired_card' }, 'expired_card'],
  ] as const)
    test(`says ${failure}, however often and however late it is asked, and another attempt can succeed`, async () => {
      const { subscriber, first, method } = await hasPaid()
      stripe.says.set(method, says)
      const { orderId, payment } = await aPeriod(service, subscriber)
      const failed = { kind: 'failed', failure } as const
      assert.deepEqual(await ask(service, subscriber, first, payment), failed)
      // The next charge would succeed, but this one has its answer.
      stripe.says.delete(method)
      assert.deepEqual(await ask(service, subscriber, first, payment), failed)
      service.clock.advance(TWO_DAYS)
      assert.deepEqual(await ask(service, subscriber, first, payment), failed)
      assert.equal(stripe.done.length, 1)
      const after = await record(service, payment, failed)
      assert.deepEqual([after.status, after.failure, after.reference], ['failed', failure, null])
      const shop = await subscriber.shop.asUser(subscriber.shop.userId)
      assert.equal((await readOrder(shop, orderId)).financial_status, 'pending')
      const next = await renew(service, subscriber, first)
      assert.deepEqual([next.payment.status, stripe.done.at(-1)], ['paid', 'charge 1190 eur'])
    })

  test('because the card was removed, the amount is too small or there is no such amount says so', async () => {
    const { subscriber, first, method } = await hasPaid()
    const { payment } = await aPeriod(service, subscriber)
    const failures = [
      await ask(service, subscriber, first, { ...payment, token: 'small', id: payment.id + 1, amount_cents: 10 }),
      await ask(service, subscriber, first, { ...payment, currency: 'JPY', amount_cents: 50 }),
    ]
    stripe.methods.set(method, { ...stripe.methods.get(method)!, customer: null })
    failures.push(await ask(service, subscriber, first, payment))
    failures.push(await ask(service, subscriber, { ...first, reference: 'pi_gone' }, payment))
    assert.deepEqual(
      failures.map((report) => report.kind === 'failed' && report.failure),
      ['amount_too_small', 'amount_not_payable', 'payment_method_customer_mismatch', 'resource_missing'],
    )
    const gateway = await gatewayOf(service, subscriber)
    assert.equal(await gateway.describeMeans!(first), null)
    assert.equal(await gateway.describeMeans!({ ...first, reference: 'pi_gone' }), null)
  })
})

test('a renewal uses the direct debit that a single payment by iDEAL has left', async () => {
  const { subscriber, first, method } = await hasPaid()
  const { customer } = stripe.methods.get(method)!
  const debit = { object: 'payment_method', type: 'sepa_debit', customer, sepa_debit: { last4: '3000' } } as const
  stripe.methods.set(method, { id: method, object: 'payment_method', type: 'ideal', customer, ideal: {} })
  stripe.methods.set('pm_debit', { id: 'pm_debit', ...debit })
  stripe.generated.set(method, 'pm_debit')
  stripe.says.set('pm_debit', 'processing')
  const { payment } = await renew(service, subscriber, first)
  assert.deepEqual([payment.status, latest().payment_method], ['pending', 'pm_debit'])
  const gateway = await gatewayOf(service, subscriber)
  assert.deepEqual(await gateway.describeMeans!(first), { brand: 'SEPA', last4: '3000', expires: null })
  // Asked again, it is the same charge.
  assert.deepEqual(await ask(service, subscriber, first, await read(payment)), {
    kind: 'pending',
    reference: latest().id,
  })
  assert.deepEqual(stripe.done, ['charge 1190 eur'])
})

test('means of payment and reasons have the names that people know', () => {
  const card = { brand: 'amex', last4: '0005', exp_year: 2031, exp_month: 12 }
  assert.deepEqual(describeMethod({ type: 'card', card }), {
    brand: 'American Express',
    last4: '0005',
    expires: '2031-12',
  })
  const names = ['visa', 'mastercard', 'diners_club', 'cartes_bancaires', 'jcb']
  assert.deepEqual(
    names.map((brand) => describeMethod({ type: 'card', card: { brand } }).brand),
    ['Visa', 'Mastercard', 'Diners Club', 'Cartes Bancaires', 'JCB'],
  )
  assert.deepEqual(describeMethod({ type: 'paypal' }), { brand: 'PayPal', last4: null, expires: null })
  assert.deepEqual([failureOf({}), failureOf({ code: 'processing_error' })], ['card_declined', 'processing_error'])
})
