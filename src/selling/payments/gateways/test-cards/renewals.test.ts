import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm } from '#test/orders.ts'
import { contextOf, offer, placeToPay, workOf } from '#test/payments.ts'
import { startPayment } from '../../start.commands.ts'
import type { PaymentState } from '../../state.ts'
import { openGateway } from '../commands.ts'
import { TEST_CARDS } from './gateway.ts'

const service = useService()

/** A payment with a card, and what the card says to later ones. */
async function payWith(card: keyof typeof TEST_CARDS) {
  const shop = await service.openShop()
  await offer(service, shop, { test: { enabled: true } })
  const customer = await aBuyer(shop)
  const placed = await placeToPay(service, shop, customer, [await aFilm(service, shop)], 'Test')
  const work = workOf(service)
  const context = { ...contextOf(TEST_CARDS[card]), keepsMeans: true }
  const { payment: first } = await startPayment(work, shop.companyId, placed.payment.id, context)
  const gateway = await openGateway(work, shop.companyId, 'Test')
  let renewal = 0

  /** The attempts of a period, until one succeeds. */
  async function renew(earlier: PaymentState, attempts: number): Promise<{ paid: PaymentState; said: string[] }> {
    renewal += 1
    const said: string[] = []
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const payment = { ...placed.payment, token: `renewal_${renewal}_${attempt}` }
      const charge = () => gateway.chargeAgain!(earlier, payment, attempt)
      const report = await charge()
      assert.deepEqual(await charge(), report)
      said.push(report.kind === 'failed' ? report.failure : report.kind)
      if (report.kind === 'paid') return { paid: { ...payment, reference: report.reference }, said }
    }
    return { paid: earlier, said }
  }

  /** Three periods, each with two attempts. */
  async function renewals(): Promise<string[][]> {
    const periods: string[][] = []
    let earlier = first
    for (let period = 1; period <= 3; period += 1) {
      const { paid, said } = await renew(earlier, 2)
      earlier = paid
      periods.push(said)
    }
    return periods
  }
  return { first, gateway, renewals }
}

describe('a test card that is charged again', () => {
  for (const [card, expected] of [
    ['succeeds', [['paid'], ['paid'], ['paid']]],
    ['failsFirstRenewal', [['card_declined', 'paid'], ['paid'], ['paid']]],
    ['failsSecondRenewal', [['paid'], ['card_declined', 'paid'], ['paid']]],
    ['failsRenewals', Array.from({ length: 3 }, () => ['card_declined', 'card_declined'])],
    ['asksRenewals', Array.from({ length: 3 }, () => ['authentication_required', 'authentication_required'])],
  ] as const)
    test(`${card} has paid at once, and does what it is called after`, async () => {
      const { first, renewals } = await payWith(card)
      assert.deepEqual([first.status, first.reference], ['paid', `test_${card}_0_${first.token}`])
      assert.deepEqual(await renewals(), expected)
    })

  test('is known by its number', async () => {
    const { first, gateway } = await payWith('failsRenewals')
    assert.deepEqual(await gateway.describeMeans!(first), { brand: 'Visa', last4: '0341', expires: '2049-12' })
    assert.equal(await gateway.describeMeans!({ ...first, reference: null }), null)
  })

  test('pays if the customer has approved its first payment', async () => {
    const { first, gateway } = await payWith('asks')
    assert.equal(first.status, 'created')
    const approved = await gateway.confirm(first, { approved: true })
    // Two browsers may approve it and pay with another card at once, and that is one payment.
    const paid = await gateway.create(first, contextOf())
    assert.deepEqual(paid, { kind: 'reported', report: approved })
    assert.ok(approved.kind === 'paid')
    const charged = await gateway.chargeAgain!({ ...first, reference: approved.reference }, first, 1)
    assert.deepEqual(charged, { ...approved, reference: `test_succeeds_1_${first.token}` })
  })

  test('pays if it has paid before there were renewals', async () => {
    const { first, gateway } = await payWith('succeeds')
    const charged = await gateway.chargeAgain!({ ...first, reference: 'test_R4nd_0m-token' }, first, 1)
    assert.deepEqual(charged, {
      kind: 'paid',
      amountCents: 1190,
      currency: 'EUR',
      reference: `test_succeeds_1_${first.token}`,
    })
  })

  test('pays nothing if it has not paid before, and 0 for a trial', async () => {
    const { first, gateway } = await payWith('fails')
    assert.deepEqual([first.status, first.reference], ['failed', null])
    assert.deepEqual(await gateway.chargeAgain!(first, first, 1), { kind: 'failed', failure: 'card_declined' })
    const trial = { ...first, amount_cents: 0 }
    const started = await gateway.create(trial, { ...contextOf(), keepsMeans: true })
    assert.ok(started.kind === 'reported' && started.report.kind === 'paid' && started.report.amountCents === 0)
  })
})
