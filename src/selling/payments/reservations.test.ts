import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLog } from '#platform/log/log.ts'
import { ownerPage } from '#test/admin.ts'
import { HOME, mailsTo, type OpenShop, openCheckout, orderIdOn, pay, put, takeBills, tell } from '#test/checkout.ts'
import { aCustomer, anEmail, CUSTOMER_PASSWORD } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { readOrder, someGoods } from '#test/orders.ts'
import { offer, workOf } from '#test/payments.ts'
import { stockOf } from '#test/sales.ts'
import type { Visitor } from '#test/visitor.ts'
import { cancelOverdueBills } from './unfinished.worker.ts'

const service = useService()
const HOUR = 3600

async function aBillShop(): Promise<OpenShop> {
  const at = await openCheckout(service)
  await takeBills(service, at)
  return at
}

/** Orders everything that is in stock, by bill. */
async function orderAll(at: OpenShop, visitor: Visitor, email: string) {
  const goods = await someGoods(service, at.shop, 5)
  await put(visitor, at.base, goods, { quantity: '5' })
  await tell(visitor, at.base, { email, ...HOME })
  const page = await pay(visitor, at.base, { gateway: 'Manual' })
  assert.match(page.text, /Waiting for payment/)
  assert.equal(await stockOf(at.shop, goods), 0)
  return { goods, page, orderId: orderIdOn(page) }
}

async function aMember(at: OpenShop): Promise<{ visitor: Visitor; email: string }> {
  const { email } = await aCustomer(at.shop)
  const visitor = at.guest()
  await visitor.get(`${at.base}/login`)
  await visitor.submit(`${at.base}/login`, { email, password: CUSTOMER_PASSWORD })
  return { visitor, email }
}

/** Is the order cancelled so many hours later? */
async function isCancelledAfter(at: OpenShop, orderId: number, hours: number): Promise<boolean> {
  service.clock.advance(hours * HOUR)
  try {
    await cancelOverdueBills(workOf(service), createLog('silent'))
    const late = await at.shop.asUser(at.shop.userId)
    return (await readOrder(late, orderId)).cancelled_at !== null
  } finally {
    service.clock.advance(-hours * HOUR)
  }
}

describe('the bill of somebody who has not signed in', () => {
  test('keeps the goods from others for a day, and says so', async () => {
    const at = await aBillShop()
    const email = anEmail()
    const { goods, page, orderId } = await orderAll(at, at.guest(), email)
    assert.match(page.text, /We keep it for you until \d{1,2} [A-Z]\w+ \d{4} at \d\d:\d\d UTC/)
    assert.match(page.text, /<h2 id="how">How to pay<\/h2>.*Bank DE00 1234.*Reference: #\d+/)
    await service.runJobs()
    const tomorrow = new Date(service.clock.now().getTime() + 24 * HOUR * 1000).getUTCDate()
    const mails = (await mailsTo(service, email)).join('\n').replaceAll(/\s+/g, ' ')
    assert.match(
      mails,
      new RegExp(`not arrived by [^.]*\\b${tomorrow}\\b[^.]* at \\d\\d:\\d\\d UTC, we cancel the order`),
    )
    assert.equal(await isCancelledAfter(at, orderId, 23), false)
    assert.equal(await isCancelledAfter(at, orderId, 25), true)
    assert.equal(await stockOf(at.shop, goods), 5)
  })

  test('is kept as long as the company says', async () => {
    const at = await aBillShop()
    const settings = { manual: { guest_bill_hours: 72 } }
    const owner = await ownerPage(service, at.shop)
    const answer = await owner.put('/payment_settings.json', { payment_settings: settings })
    assert.equal(answer.body.payment_settings.manual.guest_bill_hours, 72)
    const { orderId } = await orderAll(at, at.guest(), anEmail())
    assert.equal(await isCancelledAfter(at, orderId, 71), false)
    assert.equal(await isCancelledAfter(at, orderId, 73), true)
  })

  test('waits like any other bill if the company says so', async () => {
    const at = await aBillShop()
    await offer(service, at.shop, { manual: { guest_bill_hours: 0 } })
    const { page, orderId } = await orderAll(at, at.guest(), anEmail())
    assert.match(page.text, /We keep it for you until/)
    assert.equal(await isCancelledAfter(at, orderId, 13 * 24), false)
    assert.equal(await isCancelledAfter(at, orderId, 15 * 24), true)
  })

  test('ends after a day too if a card was tried first', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    const goods = await someGoods(service, at.shop, 5)
    await put(guest, at.base, goods, { quantity: '5' })
    await tell(guest, at.base, { email: anEmail(), ...HOME })
    const declined = await pay(guest, at.base, { card: '4000 0000 0000 0002' })
    const orderId = orderIdOn(declined)
    await service.db.updateTable('orders').set({ test: false }).where('id', '=', orderId).execute()
    await takeBills(service, at)
    await guest.follow(await guest.submit(/\/pay$/, { gateway: 'Manual' }))
    assert.equal(await isCancelledAfter(at, orderId, 25), true)
  })
})

test('the bill of a customer who is signed in is kept for fourteen days', async () => {
  const at = await aBillShop()
  const { visitor, email } = await aMember(at)
  const { page, orderId } = await orderAll(at, visitor, email)
  assert.match(page.text, /We keep it for you until/)
  assert.equal(await isCancelledAfter(at, orderId, 13 * 24), false)
  assert.equal(await isCancelledAfter(at, orderId, 15 * 24), true)
})
