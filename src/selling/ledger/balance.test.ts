import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOrders } from '#selling/orders/queries.ts'
import { aCustomer } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aFilm, readOrder } from '#test/orders.ts'
import {
  aGood,
  askRefund,
  assertNumbers,
  cancel,
  countByStatus,
  mirrorAll,
  readLedger,
  refundedOf,
  sell,
  stockOf,
} from '#test/sales.ts'

const service = useService()

/** Numbers that look random and are the same in every run (mulberry32). */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}

const STOCK = 1000

/** A random refund: some of some lines, an amount, both, or all that is left. */
function anything(order: Wire, roll: (sides: number) => number): object {
  const refund_line_items = order.line_items
    .filter(() => roll(2) === 0)
    .map(({ id, quantity }: Wire) => ({ line_item_id: id, quantity: 1 + roll(quantity) }))
  const amount = roll(Math.max(2, order.total_price))
  return [
    { refund_line_items },
    { amount },
    { refund_line_items, amount },
    { refund_line_items: refund_line_items.map(({ line_item_id }: Wire) => ({ line_item_id })) },
    { all: true },
  ][roll(5)]!
}

for (const seed of [1, 2, 3]) {
  test(`all books agree after any sales, refunds and cancellations (${seed})`, async () => {
    const roll = dice(seed)
    const [owner, seller] = [await service.openShop(), await service.openShop()]
    const originals = [await aGood(service, owner, 1 + roll(5000), STOCK), await aFilm(service, owner, roll(3000))]
    const mirrors = await mirrorAll(service, owner, seller, (1 + roll(9999)) / 100)
    const own = await aGood(service, seller, 1 + roll(5000), STOCK)
    const products = [...mirrors, own]
    const addresses = [{ city: 'Berlin', country_code: 'DE' }]
    const customers = [await aCustomer(seller, { addresses }), await aCustomer(seller, { addresses })]
    const gone = { [own.id]: 0, [mirrors[0].id]: 0 }
    const orders = new Map<number, Wire>()
    const put = (order: Wire, back: Map<number, number>) => {
      for (const line of order.line_items) {
        const product = products.find(({ product_id }) => product_id === line.product_id)
        if (product.id in gone) gone[product.id]! -= back.get(line.id) ?? 0
      }
    }
    let refunds = 0
    for (let step = 0; step < 40; step += 1) {
      const known = [...orders.values()]
      const chosen = known[roll(Math.max(1, known.length))]
      const action = chosen === undefined ? 0 : roll(8)
      if (chosen === undefined || action < 2) {
        const lines = Array.from({ length: 1 + roll(3) }, () => ({
          product: products[roll(products.length)],
          quantity: 1 + roll(7),
        }))
        const order = await sell(seller, lines, { customer: customers[roll(2)], customer_notification: 0 })
        for (const { product, quantity } of lines) if (product.id in gone) gone[product.id]! += quantity
        orders.set(order.id, order)
      } else if (action < 7) {
        const restock = roll(2) === 0
        const { status, body, text } = await askRefund(seller, chosen.id, { restock, ...anything(chosen, roll) })
        assert.ok([201, 409, 422].includes(status), text)
        if (status !== 201) continue
        refunds += 1
        const back = body.refund.refund_line_items.map(({ line_item, quantity }: Wire) => [line_item.id, quantity])
        const isCancelled = (await readOrder(seller, chosen.id)).cancelled_at !== null
        if (restock && !isCancelled) put(chosen, new Map(back))
      } else {
        const before = await readOrder(seller, chosen.id)
        await cancel(seller, chosen.id)
        if (before.cancelled_at !== null) continue
        const [state] = await readOrders(service.db, seller.companyId, [chosen.id])
        const rest = state!.lines.map((line) => [line.id, line.quantity - line.refunded_quantity] as const)
        put(chosen, new Map(rest))
      }
    }
    assert.ok(refunds > 5)

    // Refunds some orders completely: nothing is left, however many refunds came before.
    for (const { id } of [...orders.values()].filter(() => roll(2) === 0)) {
      const answer = await askRefund(seller, id)
      assert.ok([201, 409].includes(answer.status), answer.text)
    }

    const [theirs, ours] = [await readLedger(owner), await readLedger(seller)]
    const sum = (entries: Wire[]) => entries.reduce((cents, { amount }) => cents + amount, 0)
    assert.equal(sum(theirs) + sum(ours), 0)
    const statuses = { paid: 0, partially_refunded: 0, refunded: 0 }
    for (const { id, total_price } of orders.values()) {
      const order = await readOrder(seller, id)
      const [state] = await readOrders(service.db, seller.companyId, [id])
      const { refunded_cents, home_refunded_cents, home_cents, lines, cancelled_at } = state!
      statuses[order.financial_status as keyof typeof statuses] += 1
      assert.equal(refundedOf(order), refunded_cents)
      assert.equal(home_refunded_cents, refunded_cents, 'both are euros')
      assert.ok(refunded_cents <= total_price && home_cents === total_price)
      assert.ok(lines.every((line) => line.refunded_cents <= line.list_cents - line.discount_cents))
      if (total_price > 0) assert.equal(order.financial_status === 'refunded', refunded_cents === total_price)
      const ofOrder = (entries: Wire[]) => entries.filter(({ order_id }) => order_id === id)
      assert.equal(sum(ofOrder(theirs)) + sum(ofOrder(ours)), 0)
      assert.ok(sum(ofOrder(theirs)) >= 0)
      const isVoid = cancelled_at !== null || lines.every((line) => line.refunded_quantity === line.quantity)
      if (isVoid) assert.equal(sum(ofOrder(theirs)), 0, `order ${id}`)
    }
    assert.deepEqual(await countByStatus(seller), statuses)
    for (const { token } of customers) await assertNumbers(seller, token)
    assert.equal(await stockOf(seller, own), STOCK - gone[own.id]!)
    assert.equal(await stockOf(owner, originals[0]!), STOCK - gone[mirrors[0].id]!)
  })
}
