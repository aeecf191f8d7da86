import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createLog } from '#platform/log/log.ts'
import { ownerPage } from '#test/admin.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, readOrder, someGoods } from '#test/orders.ts'
import { offer, placeToPay, workOf } from '#test/payments.ts'
import { askRefund, assertNumbers, cancel, refund, stockOf } from '#test/sales.ts'
import { ship } from '#test/shipping.ts'
import { recordReport } from './commands.ts'
import type { PaymentState, Report } from './state.ts'
import { cancelOverdueBills } from './unfinished.worker.ts'

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
    .where('topic', 'like', 'order/%')
    .orderBy('id')
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

describe('a bill', () => {
  test('is a sale at once, and gives its content when the owner marks it as paid', async () => {
    const scene = await aShop()
    const { shop, customer, film } = scene
    const { orderId, payment } = await placeToPay(service, shop, customer, [film], 'Manual')
    const before = await readOrder(shop, orderId)
    assert.deepEqual(
      [before.financial_status, before.confirmed, before.gateway, before.source_name, before.test],
      ['pending', false, 'Manual', 'webshop', false],
    )
    assert.equal(before.fulfillment_status, null)
    assert.equal((await shop.get('/api/orders/count.json?fulfillment_status=fulfilled')).body.count, 0)
    assert.equal(await isUsable(scene), false)
    assert.deepEqual(await topics(shop), ['order/create'])
    assert.equal((await readPayment(shop, payment)).status, 'pending')
    const mails = await subjects(customer.email)
    assert.deepEqual(
      mails.map((subject) => subject.split(' at ')[0]),
      [`Please pay for your order #${orderId}`],
    )

    const answer = await shop.post(`/api/orders/${orderId}/mark_paid.json`)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([answer.body.order.financial_status, answer.body.order.confirmed], ['paid', true])
    assert.equal(answer.body.order.fulfillment_status, 'fulfilled')
    assert.equal((await shop.get('/api/orders/count.json?fulfillment_status=fulfilled')).body.count, 1)
    assert.deepEqual(await topics(shop), ['order/create', 'order/update'])
    assert.equal(await isUsable(scene), true)
    const paid = await readPayment(shop, payment)
    assert.deepEqual([paid.status, paid.paid_amount], ['paid', 1190])
    assert.equal((await subjects(customer.email)).length, 2)
    const count = await shop.get('/api/orders/count.json?financial_status=paid')
    assert.equal(count.body.count, 1)
  })

  test('whose goods were shipped before it was paid shows what the customer has', async () => {
    const { shop, customer, film } = await aShop()
    const goods = await someGoods(service, shop)
    const onlyGoods = await placeToPay(service, shop, customer, [goods], 'Manual')
    const both = await placeToPay(service, shop, customer, [goods, film], 'Manual')
    for (const { orderId, shipped, paid } of [
      { orderId: onlyGoods.orderId, shipped: 'fulfilled', paid: 'fulfilled' },
      { orderId: both.orderId, shipped: 'partial', paid: 'fulfilled' },
    ]) {
      const status = async () => (await readOrder(shop, orderId)).fulfillment_status
      assert.equal(await status(), null)
      await shop.put(`/api/fulfillments/${orderId}.json`, { fulfillment: { status: 100 } })
      assert.equal(await status(), shipped)
      await shop.post(`/api/orders/${orderId}/mark_paid.json`)
      assert.equal(await status(), paid)
    }
  })

  test('is marked as paid once', async () => {
    const { shop, customer, film } = await aShop()
    const { orderId } = await placeToPay(service, shop, customer, [film], 'Manual')
    const answers = await Promise.all([1, 2, 3].map(() => shop.post(`/api/orders/${orderId}/mark_paid.json`)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.equal((await shop.get('/api/payments/count.json')).body.count, 1)
    const entries = await service.db
      .selectFrom('audit_entries')
      .select('subject')
      .where('company_id', '=', shop.companyId)
      .where('action', '=', 'order marked as paid')
      .execute()
    assert.deepEqual(entries, [{ subject: `#${orderId}` }])
    assert.equal((await subjects(customer.email)).length, 1)
  })

  test('of a cancelled order is not marked as paid', async () => {
    const { shop, customer, film } = await aShop()
    const { orderId } = await placeToPay(service, shop, customer, [film], 'Manual')
    await cancel(shop, orderId)
    const answer = await shop.post(`/api/orders/${orderId}/mark_paid.json`)
    assert.deepEqual([answer.status, answer.body.reason], [409, 'order_cancelled'])
  })

  test('is refunded by the owner, and not before it is paid', async () => {
    const { shop, customer, film } = await aShop()
    const { orderId } = await placeToPay(service, shop, customer, [film], 'Manual')
    const early = await askRefund(shop, orderId)
    assert.deepEqual([early.status, early.body.reason], [409, 'order_not_paid'])
    await shop.post(`/api/orders/${orderId}/mark_paid.json`)
    assert.equal((await refund(shop, orderId)).transactions[0].status, 'success')
  })
})

describe('a bill that nobody pays', () => {
  const DAY = 86_400
  const cancelOverdue = () => cancelOverdueBills(workOf(service), createLog('silent'))
  const isCancelled = async (shop: Shop, orderId: number) => (await readOrder(shop, orderId)).cancelled_at !== null
  const later = async (shop: Shop, seconds: number) => {
    service.clock.advance(seconds)
    await Promise.all([cancelOverdue(), cancelOverdue()])
    return shop.asUser(shop.userId)
  }

  test('is cancelled when the time to pay has run out, and its goods are for others again', async () => {
    const { shop, customer } = await aShop()
    const goods = await someGoods(service, shop, 5)
    const { orderId } = await placeToPay(service, shop, customer, [goods], 'Manual')
    assert.match((await subjects(customer.email)).at(-1) ?? '', /^Please pay for your order/)
    const early = await later(shop, 14 * DAY - 60)
    assert.equal(await isCancelled(early, orderId), false)
    assert.equal(await stockOf(early, goods), 4)
    const late = await later(shop, 60)
    assert.ok(await isCancelled(late, orderId))
    assert.equal(await stockOf(late, goods), 5)
    const told = (await subjects(customer.email)).filter((subject) => /was cancelled$/.test(subject))
    assert.equal(told.length, 1)
    const { invoices } = (await late.get(`/api/orders/${orderId}/invoices.json`)).body
    assert.deepEqual(
      invoices.map(({ kind }: Wire) => kind),
      ['invoice', 'credit_note'],
    )
    await assertNumbers(late, customer.token)
  })

  test('stays as long as the owner says, and as its invoice says', async () => {
    const scenes = await Promise.all([aShop(), aShop(), aShop()])
    const [never, patient, onPaper] = scenes
    await offer(service, never.shop, { manual: { payment_due_days: 0 } })
    await offer(service, patient.shop, { manual: { payment_due_days: 30 } })
    const page = await ownerPage(service, onPaper.shop)
    await page.put('/invoice_settings.json', { invoice_settings: { payment_days: 21 } })
    const orders = await Promise.all(
      scenes.map(({ shop, customer, film }) => placeToPay(service, shop, customer, [film], 'Manual')),
    )
    const states = async (shops: Shop[]) =>
      Promise.all(orders.map(({ orderId }, index) => isCancelled(shops[index]!, orderId)))
    const after = async (days: number) => {
      service.clock.advance(days * DAY)
      await cancelOverdue()
      return states(await Promise.all(scenes.map(({ shop }) => shop.asUser(shop.userId))))
    }
    assert.deepEqual(await after(20), [false, false, false])
    assert.deepEqual(await after(2), [false, false, true])
    assert.deepEqual(await after(10), [false, true, true])
  })

  test('stays if its goods are on their way, or money is', async () => {
    const { shop, customer, film } = await aShop()
    const goods = await someGoods(service, shop, 5)
    const shipped = await placeToPay(service, shop, customer, [goods], 'Manual')
    await ship(shop, shipped.orderId)
    const partly = await placeToPay(service, shop, customer, [film], 'Manual')
    await report(partly.payment, money(partly.payment, { amountCents: 1000 }))
    const paid = await placeToPay(service, shop, customer, [film], 'Manual')
    assert.equal((await shop.post(`/api/orders/${paid.orderId}/mark_paid.json`)).status, 200)
    const late = await later(shop, 15 * DAY)
    for (const { orderId } of [shipped, partly, paid]) assert.equal(await isCancelled(late, orderId), false)
  })

  test('tells the customer until when it waits', async () => {
    const { shop, customer, film } = await aShop()
    const textOf = async () => {
      await placeToPay(service, shop, customer, [film], 'Manual')
      await service.runJobs()
      const mails = service.db.selectFrom('mails').select('text').where('recipient', '=', customer.email)
      const asked = await mails.where('subject', 'like', 'Please pay%').orderBy('id', 'desc').executeTakeFirstOrThrow()
      return asked.text ?? ''
    }
    assert.match(await textOf(), /If it has not arrived by .*, we cancel the order\./)
    await offer(service, shop, { manual: { payment_due_days: 0 } })
    assert.doesNotMatch(await textOf(), /we cancel the order/)
  })
})
