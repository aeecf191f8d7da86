import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { FOLLOW_REFUND } from '#selling/orders/refunds/jobs.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { claimDue } from '#test/jobs.ts'
import { MOLLIE_KEY, type MollieRefund, useMollie } from '#test/mollie.ts'
import { aBuyer, aFilm, readOrder } from '#test/orders.ts'
import { contextOf, offer, placeToPay, workOf } from '#test/payments.ts'
import { refund } from '#test/sales.ts'
import { payBack } from '../../pay-back.worker.ts'
import { confirmPayment, startPayment } from '../../start.commands.ts'
import type { PaymentState } from '../../state.ts'

const mollie = useMollie(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { mollie: mollie.url }, vies: '' }) })

type Scene = { shop: Shop; orderId: number; payment: PaymentState; id: string }

/** An order of 11.90 that was paid through Mollie. */
async function aPaidOrder(): Promise<Scene> {
  const shop = await service.openShop()
  await offer(service, shop, { mollie: { enabled: true, secret_key: MOLLIE_KEY } })
  const placed = await placeToPay(service, shop, await aBuyer(shop), [await aFilm(service, shop)], 'Mollie')
  const { payment } = await startPayment(workOf(service), shop.companyId, placed.payment.id, contextOf())
  const id = payment.external_id ?? ''
  mollie.change(id, { status: 'paid' })
  assert.equal((await confirmPayment(workOf(service), shop.companyId, payment.token)).status, 'paid')
  await service.runJobs()
  mollie.done.length = 0
  return { shop, ...placed, id }
}

async function readPayment({ shop, payment }: Scene): Promise<Wire> {
  return (await shop.get(`/api/payments/${payment.id}.json`)).body.payment
}

const transactionsOf = async ({ shop, orderId }: Scene) =>
  (await readOrder(shop, orderId)).refunds.map((one: Wire) => one.transactions[0].status)

const tell = ({ shop, id }: Scene) => mollie.send(service, shop.companyId, id)

/** The tokens of a shop end with the time. */
async function later(scene: Scene, seconds: number): Promise<Scene> {
  service.clock.advance(seconds)
  return { ...scene, shop: await scene.shop.asUser(scene.shop.userId) }
}

/** What becomes of the latest refund of a payment. */
function changeRefund({ id }: Scene, status: string): void {
  const refund = mollie.refunds.find(({ paymentId }) => paymentId === id)
  assert.ok(refund !== undefined)
  refund.status = status
}

describe('a refund through Mollie', () => {
  test('returns a part of the money, and then the rest', async () => {
    const scene = await aPaidOrder()
    assert.equal((await refund(scene.shop, scene.orderId, { amount: 500 })).transactions[0].status, 'pending')
    await service.runJobs()
    assert.deepEqual(await transactionsOf(scene), ['success'])
    const payment = await readPayment(scene)
    assert.deepEqual([payment.status, payment.refunded_amount], ['partially_refunded', 500])
    await tell(scene)
    assert.deepEqual((await readPayment(scene)).flags, [])
    await refund(scene.shop, scene.orderId)
    await service.runJobs()
    await tell(scene)
    const whole = await readPayment(scene)
    assert.deepEqual([whole.status, whole.refunded_amount, whole.flags], ['refunded', 1190, []])
    assert.deepEqual(mollie.done, ['refund 5.00 EUR', 'refund 6.90 EUR'])
  })

  test('is made once by two workers at once', async () => {
    const scene = await aPaidOrder()
    await refund(scene.shop, scene.orderId)
    const jobs = await claimDue(service.db, FOLLOW_REFUND, nowInSeconds(service.clock), 50)
    const job = jobs.find(({ companyId }) => companyId === scene.shop.companyId) as Parameters<typeof payBack>[1]
    await Promise.all([payBack(workOf(service), job), payBack(workOf(service), job)])
    assert.deepEqual(mollie.done, ['refund 11.90 EUR'])
    assert.equal((await readPayment(scene)).refunded_amount, 1190)
  })

  test('is made once, although the answer is lost and Mollie has forgotten the key since', async () => {
    const scene = await aPaidOrder()
    await refund(scene.shop, scene.orderId)
    const jobs = await claimDue(service.db, FOLLOW_REFUND, nowInSeconds(service.clock), 50)
    const job = jobs.find(({ companyId }) => companyId === scene.shop.companyId) as Parameters<typeof payBack>[1]
    // The service reads the refunds that there are, and then makes one.
    mollie.troubles.push('none', 'loses the answer')
    await assert.rejects(() => payBack(workOf(service), job), { reason: 'payment_gateway_unavailable' })
    assert.deepEqual(mollie.done, ['refund 11.90 EUR'])
    assert.deepEqual(await transactionsOf(scene), ['pending'])
    const after = await later(scene, 7200)
    await payBack(workOf(service), job)
    assert.deepEqual(mollie.done, ['refund 11.90 EUR'])
    assert.deepEqual(await transactionsOf(after), ['success'])
  })

  test('that Mollie refuses is shown to the owner, and can be tried again', async () => {
    const scene = await aPaidOrder()
    const { shop, orderId, id } = scene
    const { amount } = mollie.change(id, { amount: { currency: 'EUR', value: '1.00' } })
    await refund(shop, orderId)
    await service.runJobs()
    assert.deepEqual([amount.value, await transactionsOf(scene)], ['1.00', ['failure']])
    assert.deepEqual((await readPayment(scene)).flags, ['refund_failed'])
    const [part] = await service.db
      .selectFrom('payment_refunds')
      .select(['error', 'attempt'])
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.deepEqual(part, { error: 'The specified amount cannot be refunded', attempt: 2 })
    mollie.change(id, { amount: { currency: 'EUR', value: '11.90' } })
    assert.equal((await shop.post(`/api/orders/${orderId}/retry_refunds.json`)).status, 200)
    await service.runJobs()
    assert.deepEqual(await transactionsOf(scene), ['success'])
    assert.deepEqual(mollie.done, ['refund 11.90 EUR'])
  })

  test('that the bank refuses at once can be tried again, and is then no trouble any more', async () => {
    const scene = await aPaidOrder()
    const { shop, orderId, payment } = scene
    mollie.refundStatuses.push('failed')
    await refund(shop, orderId)
    await service.runJobs()
    assert.deepEqual(await transactionsOf(scene), ['failure'])
    await shop.post(`/api/payments/${payment.id}/resolve.json`)
    service.clock.advance(60)
    assert.equal((await shop.post(`/api/orders/${orderId}/retry_refunds.json`)).status, 200)
    await service.runJobs()
    await tell(scene)
    const { status, flags } = await readPayment(scene)
    assert.deepEqual([status, flags, await transactionsOf(scene)], ['refunded', [], ['success']])
  })

  test('that fails after days, or is stopped in the dashboard, is shown to the owner', async () => {
    for (const status of ['failed', 'canceled']) {
      const scene = await aPaidOrder()
      await refund(scene.shop, scene.orderId)
      await service.runJobs()
      changeRefund(scene, status)
      await tell(scene)
      assert.deepEqual((await readPayment(scene)).flags, ['refund_failed'], status)
    }
  })

  test('of the same amount as one before waits, because Mollie takes it for a mistake', async () => {
    const scene = await aPaidOrder()
    await refund(scene.shop, scene.orderId, { amount: 500 })
    await service.runJobs()
    await refund(scene.shop, scene.orderId, { amount: 500 })
    await service.runJobs()
    assert.deepEqual(await transactionsOf(scene), ['success', 'pending'])
    const after = await later(scene, 7200)
    await service.runJobs()
    assert.deepEqual(await transactionsOf(after), ['success', 'success'])
    assert.deepEqual(mollie.done, ['refund 5.00 EUR', 'refund 5.00 EUR'])
    const keys = mollie.refunds
      .filter(({ paymentId }) => paymentId === scene.id)
      .map(({ metadata }: MollieRefund) => (metadata as { licet_refund: string }).licet_refund)
    assert.equal(new Set(keys).size, 2)
  })
})
