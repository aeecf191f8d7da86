import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLog } from '#platform/log/log.ts'
import { useService } from '#test/harness.ts'
import { type FakeMollie, MOLLIE_KEY, useMollie } from '#test/mollie.ts'
import { readOrder } from '#test/orders.ts'
import { BASE_URL, workOf } from '#test/payments.ts'
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
import { getPayment } from '../../queries.ts'
import { confirmPayment } from '../../start.commands.ts'
import type { PaymentState } from '../../state.ts'
import { finishPayments } from '../../unfinished.worker.ts'
import { describeMandate } from './rules.ts'

const mollie: FakeMollie = useMollie(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { mollie: mollie.url }, vies: '' }) })

const SETTINGS = { mollie: { enabled: true, secret_key: MOLLIE_KEY } }
const TWO_DAYS = 2 * 86_400

type Scene = { subscriber: Subscriber; first: PaymentState; mandate: string }

/** Somebody who has paid for the first period, and the mandate. */
async function hasPaid({ isTrial = false, keepsMeans = true } = {}): Promise<Scene> {
  const subscriber = await aSubscriber(service, 'Mollie', SETTINGS)
  const { payment } = await aPeriod(service, subscriber)
  if (isTrial) await makeTrial(service, payment)
  const id = await startFirst(service, payment, keepsMeans)
  const { mandateId = '' } = mollie.change(id, { status: 'paid' })
  const first = await confirmPayment(workOf(service), payment.company_id, payment.token)
  assert.deepEqual([first.status, first.flags], ['paid', []])
  mollie.done.length = 0
  return { subscriber, first, mandate: mandateId }
}

const read = ({ company_id, id }: PaymentState) => getPayment(service.db, company_id, String(id))

/** The newest payment at Mollie. */
const latest = () => [...mollie.payments.values()].at(-1)!

const paidBy = (reference: string) => ({ kind: 'paid', amountCents: 1190, currency: 'EUR', reference }) as const

const statusOf = async ({ shop }: Subscriber, orderId: number) =>
  (await readOrder(await shop.asUser(shop.userId), orderId)).financial_status

describe('a renewal through Mollie', () => {
  test('charges the mandate of the first payment, again and again', async () => {
    const { subscriber, first, mandate } = await hasPaid()
    const second = await renew(service, subscriber, first)
    const third = await renew(service, subscriber, second.payment)
    assert.deepEqual(mollie.done, ['charge paid 11.90 EUR', 'charge paid 11.90 EUR'])
    for (const { orderId, payment } of [second, third]) {
      assert.equal(await statusOf(subscriber, orderId), 'paid')
      assert.deepEqual([payment.status, payment.flags, payment.external_id], ['paid', [], null])
      const { sequenceType, mandateId, webhookUrl } = mollie.payments.get(payment.reference ?? '')!
      assert.deepEqual([sequenceType, mandateId], ['recurring', mandate])
      assert.equal(webhookUrl, `${BASE_URL}/payments/${subscriber.shop.companyId}/mollie`)
    }
    const gateway = await gatewayOf(service, subscriber)
    const means = { brand: 'Visa', last4: '4242', expires: '2028-09' }
    assert.deepEqual(await gateway.describeMeans!(first), means)
    assert.deepEqual(await gateway.describeMeans!(third.payment), means)
  })

  test('is not made without a mandate that is valid', async () => {
    const once = await hasPaid({ keepsMeans: false })
    const ended = await hasPaid()
    mollie.mandates.set(ended.mandate, { ...mollie.mandates.get(ended.mandate)!, status: 'invalid' })
    const gone = await hasPaid()
    mollie.mandates.delete(gone.mandate)
    mollie.done.length = 0
    for (const { subscriber, first } of [once, ended, gone]) {
      const { payment } = await renew(service, subscriber, first)
      assert.deepEqual([payment.status, payment.failure], ['failed', 'means_missing'])
      assert.equal(await (await gatewayOf(service, subscriber)).describeMeans!(first), null)
    }
    assert.deepEqual(mollie.done, [])
  })

  test('finds a mandate that only the customer has', async () => {
    const { subscriber, first, mandate } = await hasPaid()
    const { mandateId: _named, ...payment } = mollie.payments.get(first.reference ?? '')!
    mollie.payments.set(payment.id, payment)
    assert.equal((await renew(service, subscriber, first)).payment.status, 'paid')
    assert.equal(latest().mandateId, mandate)
  })

  test('is made once, although the program is killed before it can note it, and by two at once', async () => {
    const { subscriber, first } = await hasPaid()
    const { payment } = await aPeriod(service, subscriber)
    const answer = await ask(service, subscriber, first, payment)
    const again = await Promise.all([1, 2].map(() => ask(service, subscriber, first, payment)))
    for (const report of [answer, ...again]) {
      assert.deepEqual(report, paidBy(latest().id))
      assert.deepEqual((await record(service, payment, report)).flags, [])
    }
    const other = await aPeriod(service, subscriber)
    await Promise.all([1, 2].map(() => ask(service, subscriber, first, other.payment)))
    assert.deepEqual(mollie.done, ['charge paid 11.90 EUR', 'charge paid 11.90 EUR'])
  })

  test('is made once, although the connection is lost before or after Mollie has taken the charge', async () => {
    for (const trouble of ['loses the request', 'loses the answer', 'fails'] as const)
      for (const seconds of [0, TWO_DAYS]) {
        const { subscriber, first } = await hasPaid()
        const { payment } = await aPeriod(service, subscriber)
        // Mollie is asked for the first payment, for earlier tries and for the mandate before it is asked to charge.
        mollie.troubles.push('none', 'none', 'none', trouble)
        await assert.rejects(() => ask(service, subscriber, first, payment), { reason: 'payment_gateway_unavailable' })
        assert.equal(mollie.done.length, trouble === 'loses the answer' ? 1 : 0)
        // After an hour Mollie has forgotten the key.
        service.clock.advance(seconds)
        assert.deepEqual(await ask(service, subscriber, first, payment), paidBy(latest().id))
        assert.deepEqual(mollie.done, ['charge paid 11.90 EUR'])
      }
  })

  test('that Mollie has made although it has refused it is found', async () => {
    const { subscriber, first } = await hasPaid()
    const { payment } = await aPeriod(service, subscriber)
    mollie.troubles.push('none', 'none', 'none', 'refuses after')
    assert.deepEqual(await ask(service, subscriber, first, payment), paidBy(latest().id))
    const other = await aPeriod(service, subscriber)
    const refused = await ask(service, subscriber, first, { ...other.payment, amount_cents: 0 })
    assert.deepEqual(refused, { kind: 'failed', failure: 'The amount is lower than the minimum' })
  })

  test('that the bank declines says why, however often and however late it is asked', async () => {
    for (const [details, failure] of [
      [{ failureReason: 'authentication_required' }, 'authentication_required'],
      [{ failureReason: 'card_expired' }, 'card_expired'],
      [{ bankReasonCode: 'AM04' }, 'AM04'],
    ] as const) {
      const { subscriber, first, mandate } = await hasPaid()
      mollie.says.set(mandate, { status: 'failed', details })
      const { orderId, payment } = await aPeriod(service, subscriber)
      const failed = { kind: 'failed', failure } as const
      assert.deepEqual(await ask(service, subscriber, first, payment), failed)
      mollie.says.delete(mandate)
      assert.deepEqual(await ask(service, subscriber, first, payment), failed)
      service.clock.advance(TWO_DAYS)
      assert.deepEqual(await ask(service, subscriber, first, payment), failed)
      const after = await record(service, payment, failed)
      assert.deepEqual([after.status, after.failure], ['failed', failure])
      assert.equal(await statusOf(subscriber, orderId), 'pending')
      assert.equal((await renew(service, subscriber, first)).payment.status, 'paid')
      assert.deepEqual(mollie.done, ['charge failed 11.90 EUR', 'charge paid 11.90 EUR'])
    }
  })
})

describe('news of a renewal through Mollie', () => {
  const tell = async ({ shop }: Subscriber, id: string) =>
    assert.equal((await mollie.send(service, shop.companyId, id)).status, 200)

  test('that come before the answer, and more than once, are followed once', async () => {
    const { subscriber, first } = await hasPaid()
    const { orderId, payment } = await aPeriod(service, subscriber)
    const answer = await ask(service, subscriber, first, payment)
    for (let time = 0; time < 2; time += 1) await tell(subscriber, latest().id)
    assert.equal(await statusOf(subscriber, orderId), 'paid')
    const { status, flags, reference } = await record(service, payment, answer)
    assert.deepEqual([status, flags, reference], ['paid', [], latest().id])
  })

  test('of a direct debit come after days, from Mollie or when it is asked', async () => {
    for (const said of ['open', 'pending'])
      for (const [changes, status, failure] of [
        [{ status: 'paid' }, 'paid', null],
        [{ status: 'failed', details: { bankReasonCode: 'MS03' } }, 'failed', 'MS03'],
      ] as const)
        for (const isSent of [true, false]) {
          const { subscriber, first, mandate } = await hasPaid()
          mollie.says.set(mandate, { status: said })
          const { orderId, payment } = await renew(service, subscriber, first)
          assert.deepEqual([payment.status, payment.reference], ['pending', latest().id])
          assert.deepEqual(await ask(service, subscriber, first, payment), {
            kind: 'pending',
            reference: latest().id,
          })
          mollie.change(latest().id, changes)
          service.clock.advance(3 * 86_400)
          if (isSent) await tell(subscriber, latest().id)
          else await finishPayments(workOf(service), createLog('silent'))
          const after = await read(payment)
          assert.deepEqual([after.status, after.failure, after.flags], [status, failure, []])
          assert.equal(await statusOf(subscriber, orderId), status === 'paid' ? 'paid' : 'pending')
        }
  })

  test('with another amount are shown to the owner, and those of another company change nothing', async () => {
    const { subscriber, first } = await hasPaid()
    const other = await hasPaid()
    const { payment } = await aPeriod(service, subscriber)
    await ask(service, subscriber, first, payment)
    const { id } = mollie.change(latest().id, { amount: { currency: 'EUR', value: '11.89' } })
    await tell(other.subscriber, id)
    assert.equal((await read(payment)).status, 'created')
    await tell(subscriber, id)
    assert.deepEqual((await read(payment)).flags, ['amount_differs'])
  })
})

test('a trial saves a card at Mollie and charges nothing, until the first period is charged', async () => {
  const { subscriber, first: trial } = await hasPaid({ isTrial: true })
  assert.deepEqual([trial.paid_cents, mollie.payments.get(trial.reference ?? '')?.amount.value], [0, '0.00'])
  const { orderId, payment } = await renew(service, subscriber, trial)
  assert.deepEqual([payment.status, await statusOf(subscriber, orderId)], ['paid', 'paid'])
  assert.deepEqual(mollie.done, ['charge paid 11.90 EUR'])
})

test('a customer at Mollie is made once, although the connection is lost', async () => {
  const subscriber = await aSubscriber(service, 'Mollie', SETTINGS)
  const { payment } = await aPeriod(service, subscriber)
  mollie.done.length = 0
  mollie.troubles.push('loses the answer')
  await assert.rejects(() => startFirst(service, payment))
  mollie.troubles.push('none', 'loses the answer')
  await assert.rejects(() => startFirst(service, payment))
  const id = await startFirst(service, payment)
  assert.deepEqual(mollie.done, ['customer', 'payment 11.90 EUR'])
  assert.equal(mollie.payments.get(id)?.sequenceType, 'first')
})

test('a renewal through Mollie is refunded like any other payment', async () => {
  const { subscriber, first } = await hasPaid()
  const { orderId, payment } = await renew(service, subscriber, first)
  await refund(subscriber.shop, orderId, { amount: 500 })
  await service.runJobs()
  assert.equal((await read(payment)).status, 'partially_refunded')
  assert.equal(mollie.refunds[0]?.paymentId, payment.reference)
})

test('mandates have the names that people know', () => {
  const mandate = { id: 'mdt_1', status: 'valid' }
  const account = { consumerAccount: 'NL55INGB0000003000' }
  assert.deepEqual(
    [
      describeMandate({ ...mandate, method: 'directdebit', details: account }),
      describeMandate({ ...mandate, method: 'paypal' }),
      describeMandate({ ...mandate, method: 'creditcard', details: { cardNumber: '0005' } }),
    ],
    [
      { brand: 'SEPA', last4: '3000', expires: null },
      { brand: 'PayPal', last4: null, expires: null },
      { brand: 'Card', last4: '0005', expires: null },
    ],
  )
})
