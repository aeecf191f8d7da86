import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createLog } from '#platform/log/log.ts'
import { cancelOrder } from '#selling/orders/cancel.commands.ts'
import { ownerPage } from '#test/admin.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, readOrder, someGoods } from '#test/orders.ts'
import { contextOf, offer, place, placeToPay, workOf } from '#test/payments.ts'
import { assertNumbers, refund } from '#test/sales.ts'
import { recordReport } from './commands.ts'
import { TEST_CARDS } from './gateways/test-cards/gateway.ts'
import { listOffers } from './queries.ts'
import { mayBecome } from './rules.ts'
import { confirmPayment, openNextPayment, startPayment } from './start.commands.ts'
import type { PaymentState, Report } from './state.ts'
import { finishPayments } from './unfinished.worker.ts'

const service = useService()

type Scene = { shop: Shop; customer: Wire; film: Wire }

/** A shop that takes bills and test payments. */
async function aShop(): Promise<Scene> {
  const shop = await service.openShop()
  await offer(service, shop, {
    manual: { enabled: true, instructions: 'IBAN DE02 1203 0000 0000 2020 51' },
    test: { enabled: true },
  })
  return { shop, customer: await aBuyer(shop), film: await aFilm(service, shop) }
}

const start = ({ company_id, id }: PaymentState, card?: string) =>
  startPayment(workOf(service), company_id, id, contextOf(card))

const openAnother = ({ companyId }: Shop, orderId: number, card?: string) =>
  openNextPayment(workOf(service), companyId, orderId, 'Test', { card })

const report = (payment: PaymentState, news: Report) =>
  inTransaction(service.db, (tx) => recordReport(tx, payment.company_id, payment.id, news, nowInSeconds(service.clock)))

const money = (payment: PaymentState, changes: object = {}): Report => ({
  kind: 'paid',
  amountCents: payment.amount_cents,
  currency: payment.currency,
  reference: 'money',
  ...changes,
})

async function readPayment(shop: Shop, { id }: { id: number }): Promise<Wire> {
  const answer = await shop.get(`/api/payments/${id}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.payment
}

async function isUsable({ shop, customer }: Scene): Promise<boolean> {
  const { content } = (await shop.get(`/api/customers/${customer.token}/content.json`)).body
  const { id } = content.at(-1)
  const use = await shop.post(`/api/entitlements/${id}/check.json`, { check: { action: 'play', device: 'tv' } })
  return use.body.decision.allowed
}

async function topics(shop: Shop): Promise<string[]> {
  const rows = await service.db
    .selectFrom('events')
    .select('topic')
    .where('company_id', '=', shop.companyId)
    .where('topic', '=', 'order/create')
    .execute()
  return rows.map(({ topic }) => topic)
}

/** The subjects of the mails to an address that were written so far. Invoices have tests of their own. */
async function subjects(to: string): Promise<string[]> {
  await service.runJobs()
  const rows = await service.db
    .selectFrom('mails')
    .select('subject')
    .where('recipient', '=', to)
    .orderBy('id')
    .execute()
  return rows.map(({ subject }) => subject).filter((subject) => !subject.startsWith('Invoice '))
}

const finish = () => finishPayments(workOf(service), createLog('silent'))

describe('a payment through a gateway', () => {
  test('sells when the money has arrived, and not before', async () => {
    const scene = await aShop()
    const { shop, customer, film } = scene
    const { orderId, payment } = await placeToPay(service, shop, customer, [film], 'Test')
    assert.deepEqual(await topics(shop), [])
    const early = await shop.put(`/api/orders/${orderId}.json`, { order: { confirmed: true } })
    assert.deepEqual([early.status, early.body.reason], [409, 'order_awaits_payment'])
    const { payment: after, next } = await start(payment)
    assert.deepEqual([after.status, next.kind], ['paid', 'done'])
    const order = await readOrder(shop, orderId)
    assert.deepEqual(
      [order.financial_status, order.confirmed, order.gateway, order.payment_gateway_names, order.test],
      ['paid', true, 'Test', ['Test'], true],
    )
    assert.deepEqual(await topics(shop), ['order/create'])
    assert.equal(await isUsable(scene), true)
  })

  test('can ask for a second step', async () => {
    const { shop, customer, film } = await aShop()
    const { orderId, payment } = await placeToPay(service, shop, customer, [film], 'Test')
    const { next } = await start(payment, TEST_CARDS.asks)
    assert.equal(next.kind, 'step')
    const back = (approved?: boolean) => confirmPayment(workOf(service), shop.companyId, payment.token, { approved })
    assert.equal((await back()).status, 'created')
    assert.equal((await back(true)).status, 'paid')
    assert.equal((await back(false)).status, 'paid')
    assert.equal((await readOrder(shop, orderId)).financial_status, 'paid')
  })

  test('that failed can be followed by another one', async () => {
    const { shop, customer, film } = await aShop()
    const { orderId, payment } = await placeToPay(service, shop, customer, [film], 'Test')
    const { payment: failed } = await start(payment, TEST_CARDS.fails)
    assert.deepEqual([failed.status, failed.failure], ['failed', 'card_declined'])
    const again = await openAnother(shop, orderId)
    assert.ok(again !== undefined)
    assert.equal((await start(again)).payment.status, 'paid')
    const { body } = await shop.get(`/api/payments.json?order_id=${orderId}`)
    assert.deepEqual(
      body.payments.map(({ status }: Wire) => status),
      ['failed', 'paid'],
    )
    assert.equal(await openAnother(shop, orderId), undefined)
  })

  test('is tried 20 times at most', async () => {
    const { shop, customer, film } = await aShop()
    const { orderId, payment } = await placeToPay(service, shop, customer, [film], 'Test')
    await start(payment, TEST_CARDS.fails)
    const again = () => openAnother(shop, orderId, TEST_CARDS.fails)
    for (let count = 1; count < 20; count += 1) await again()
    await assert.rejects(again, { reason: 'too_many_payments' })
  })

  test('counts once, however often and at once it is reported', async () => {
    const { shop, customer, film } = await aShop()
    const { orderId, payment } = await placeToPay(service, shop, customer, [film], 'Test')
    await Promise.all([1, 2, 3, 4].map(() => report(payment, money(payment))))
    await report(payment, { kind: 'failed', failure: 'late news' })
    const after = await readPayment(shop, payment)
    assert.deepEqual([after.status, after.paid_amount, after.flags], ['paid', 1190, []])
    assert.deepEqual(await topics(shop), ['order/create'])
    assert.equal((await subjects(customer.email)).length, 1)
    assert.equal((await readOrder(shop, orderId)).financial_status, 'paid')
    await assertNumbers(shop, customer.token)
  })

  test('hides goods from those who ship until it is paid', async () => {
    const { shop, customer } = await aShop()
    const goods = await someGoods(service, shop, 5)
    const { payment } = await placeToPay(service, shop, customer, [goods], 'Test')
    const open = async () => (await shop.get('/api/fulfillments/open.json')).body.fulfillments.length
    const counted = async () => (await shop.get('/api/fulfillments/count.json')).body.count
    assert.deepEqual([await open(), await counted()], [0, 0])
    await report(payment, money(payment))
    assert.deepEqual([await open(), await counted()], [1, 1])
  })

  test('is refused for a gateway that the shop does not offer', async () => {
    const { shop, customer, film } = await aShop()
    await offer(service, shop, { test: { enabled: false } })
    await assert.rejects(() => place(service, shop, customer, [film], 'Test'), {
      reason: 'payment_gateway_not_offered',
    })
    await assert.rejects(() => place(service, shop, customer, [film], null), { reason: 'payment_gateway_required' })
  })

  test('is not needed for an order that costs nothing', async () => {
    const { shop, customer } = await aShop()
    const gift = await aFilm(service, shop, 0)
    const { order, payment } = await place(service, shop, customer, [gift], null)
    assert.equal(payment, undefined)
    assert.deepEqual([order.state.financial_status, order.state.confirmed], ['paid', true])
    assert.equal(JSON.parse(order.document).financial_status, 'paid')
  })
})

describe('money that the owner has to look at', () => {
  const flaggedOf = async (shop: Shop) => (await shop.get('/api/payments.json?flagged=true')).body.payments

  async function ownerMails(shop: Shop): Promise<string[]> {
    const { body } = await shop.get(`/api/companies/${shop.companyId}.json`)
    return subjects(body.company.email)
  }

  test('of another amount or currency is stored, and confirms nothing', async () => {
    for (const wrong of [{ amountCents: 1189 }, { amountCents: 1191 }, { currency: 'USD' }]) {
      const { shop, customer, film } = await aShop()
      const { orderId, payment } = await placeToPay(service, shop, customer, [film], 'Test')
      await report(payment, money(payment, wrong))
      const [flagged] = await flaggedOf(shop)
      assert.deepEqual([flagged.id, flagged.status, flagged.flags], [payment.id, 'paid', ['amount_differs']])
      assert.equal((await readOrder(shop, orderId)).financial_status, 'pending')
      assert.deepEqual(await ownerMails(shop), [`Please check the payment of order #${orderId}`])
      // The owner accepts it.
      assert.equal((await shop.post(`/api/orders/${orderId}/mark_paid.json`)).body.order.gateway, 'Test')
      assert.equal((await shop.get('/api/payments/count.json')).body.count, 1)
    }
  })

  test('comes after the cancellation, and can be refunded', async () => {
    const scene = await aShop()
    const { shop, customer, film } = scene
    const { orderId, payment } = await placeToPay(service, shop, customer, [film], 'Test')
    await inTransaction(service.db, (tx) => cancelOrder(tx, shop, String(orderId), nowInSeconds(service.clock)))
    assert.deepEqual(await subjects(customer.email), [])
    await report(payment, money(payment))
    await report(payment, money(payment))
    const order = await readOrder(shop, orderId)
    assert.deepEqual([order.financial_status, order.confirmed], ['paid', false])
    assert.equal(await isUsable(scene), false)
    assert.deepEqual(
      (await flaggedOf(shop)).map(({ flags }: Wire) => flags),
      [['order_cancelled']],
    )
    assert.deepEqual(await ownerMails(shop), [`Please check the payment of order #${orderId}`])
    await refund(shop, orderId)
    await service.runJobs()
    assert.equal((await readPayment(shop, payment)).status, 'refunded')
  })

  test('comes twice', async () => {
    const { shop, customer, film } = await aShop()
    const { orderId, payment } = await placeToPay(service, shop, customer, [film], 'Test')
    await start(payment, TEST_CARDS.fails)
    const second = await openAnother(shop, orderId)
    assert.ok(second !== undefined)
    await Promise.all([report(payment, money(payment)), report(second, money(second, { reference: 'more' }))])
    const flagged = await flaggedOf(shop)
    assert.deepEqual(
      flagged.map(({ flags }: Wire) => flags),
      [['paid_twice']],
    )
    assert.deepEqual(await topics(shop), ['order/create'])
    // Money of the same attempt under another name is a second payment too.
    await report(payment, money(payment, { reference: 'a third' }))
    assert.equal((await readPayment(shop, payment)).paid_amount, 1190)
  })

  test('is resolved by the owner', async () => {
    const { shop, customer, film } = await aShop()
    const { payment } = await placeToPay(service, shop, customer, [film], 'Test')
    await report(payment, money(payment, { amountCents: 1 }))
    const page = await ownerPage(service, shop)
    assert.equal((await page.get('/payments/count.json?flagged=true')).body.count, 1)
    const answer = await page.post(`/payments/${payment.id}/resolve.json`, undefined)
    assert.deepEqual([answer.status, answer.body.payment.flags], [200, []])
    assert.equal((await page.get('/payments/count.json?flagged=true')).body.count, 0)
    const again = await shop.post(`/api/payments/${payment.id}/resolve.json`)
    assert.deepEqual([again.status, again.body.reason], [409, 'payment_not_flagged'])
  })
})

test('a refund goes back through the gateway that the money came from', async () => {
  const { shop, customer, film } = await aShop()
  const { orderId, payment } = await placeToPay(service, shop, customer, [film], 'Test')
  await start(payment)
  const [transaction] = (await refund(shop, orderId, { amount: 500 })).transactions
  assert.deepEqual([transaction.status, transaction.gateway], ['pending', 'Test'])
  await refund(shop, orderId)
  await service.runJobs()
  const { refunds } = await readOrder(shop, orderId)
  assert.deepEqual(
    refunds.map(({ transactions }: Wire) => transactions[0].status),
    ['success', 'success'],
  )
  const after = await readPayment(shop, payment)
  assert.deepEqual([after.status, after.refunded_amount], ['refunded', 1190])
  const again = await shop.post(`/api/orders/${orderId}/retry_refunds.json`)
  assert.deepEqual([again.status, again.body.reason], [409, 'no_refund_failed'])
})

describe('a customer who gives up', () => {
  test('loses the order after an hour', async () => {
    const { shop, customer, film } = await aShop()
    const { orderId, payment } = await placeToPay(service, shop, customer, [film], 'Test')
    const bill = await placeToPay(service, shop, customer, [film], 'Manual')
    await finish()
    assert.equal((await readOrder(shop, orderId)).cancelled_at, null)
    service.clock.advance(3700)
    await Promise.all([finish(), finish()])
    const later = await shop.asUser(shop.userId)
    assert.ok((await readOrder(later, orderId)).cancelled_at !== null)
    assert.equal((await readPayment(later, payment)).status, 'cancelled')
    assert.equal((await readOrder(later, bill.orderId)).cancelled_at, null)
    // Nobody tells the customer, who never finished.
    assert.equal((await subjects(customer.email)).filter((subject) => /cancel/i.test(subject)).length, 0)
    await assertNumbers(later, customer.token)
  })
})

describe('the payment settings', () => {
  test('decide what a shop offers, and whether it has a payment system', async () => {
    const shop = await service.openShop()
    const page = await ownerPage(service, shop)
    const isMissing = async () =>
      (await shop.get(`/api/companies/${shop.companyId}.json`)).body.company.shop_status['No payment system']
    assert.equal(await isMissing(), true)
    const manual = { enabled: true, instructions: 'IBAN' }
    const answer = await page.put('/payment_settings.json', { payment_settings: { manual } })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body.payment_settings.manual, { ...manual, payment_due_days: 14, guest_bill_hours: 24 })
    assert.deepEqual(answer.body.payment_settings.test, { enabled: false })
    assert.equal(await isMissing(), false)
    assert.deepEqual(await listOffers(service.db, shop.companyId), [
      { name: 'Manual', instructions: 'IBAN', is_test: false },
    ])
    await page.put('/payment_settings.json', { payment_settings: { manual: { enabled: false } } })
    assert.equal(await isMissing(), true)
    assert.equal((await page.get('/payment_settings.json')).body.payment_settings.manual.instructions, 'IBAN')
  })
})

test('money that arrives late counts, and what was paid is never unpaid', () => {
  assert.ok(mayBecome('cancelled', 'paid'))
  assert.ok(mayBecome('failed', 'paid'))
  for (const status of ['created', 'pending', 'failed', 'cancelled'] as const) {
    assert.ok(!mayBecome('paid', status), status)
    assert.ok(!mayBecome('refunded', status), status)
  }
})
