import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { assertBlames, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm, readOrder } from '#test/orders.ts'
import {
  aGood,
  askRefund,
  assertNumbers,
  cancel,
  everythingOf,
  mirrorAll,
  readLedger,
  refund,
  sell,
  stockOf,
} from '#test/sales.ts'

const service = useService()

/** A shop with an order of three cups of its own and two of another shop, with something refunded of each. */
async function aSale() {
  const [owner, shop] = [await service.openShop(), await service.openShop()]
  const [theirs, own] = [await aGood(service, owner, 2000, 50), await aGood(service, shop, 1000, 50)]
  const [mirror] = await mirrorAll(service, owner, shop)
  const order = await sell(shop, [
    { product: own, quantity: 3 },
    { product: mirror, quantity: 2 },
  ])
  const [first, second] = order.line_items.map(({ id }: { id: number }) => id)
  const refund_line_items = [
    { line_item_id: first, quantity: 1 },
    { line_item_id: second, quantity: 1 },
  ]
  await refund(shop, order.id, { restock: true, refund_line_items })
  const everything = async () => [
    await everythingOf(shop, order, [own]),
    await everythingOf(shop, order, [theirs], owner),
  ]
  return { owner, shop, order, first, second, everything }
}

describe('a refund', () => {
  test('that is not possible reports its faults, and changes nothing', async () => {
    const { shop, order, first, second, everything } = await aSale()
    const elsewhere = await sell(shop, [{ product: await aFilm(service, shop) }])
    const before = await everything()
    const left = order.total_price - 3000
    const line = 'refund_line_items[0].line_item_id'
    const quantity = 'refund_line_items[0].quantity'
    const refused: [object, string[]][] = [
      [{ amount: left + 1 }, ['amount']],
      [{ amount: left + 1, restock: true, refund_line_items: [{ line_item_id: first }] }, ['amount']],
      [{ amount: Number.MAX_SAFE_INTEGER }, ['amount']],
      [{ amount: 0 }, ['amount']],
      [{ amount: -1 }, ['amount']],
      [{ amount: 1.5 }, ['amount']],
      [{ amount: 'much' }, ['amount']],
      [{}, ['all']],
      [{ note: 'Wrong film.', restock: true }, ['all']],
      [{ amount: null, refund_line_items: null }, ['all']],
      [{ refund_lines: [{ line_item_id: first }], line_items: [first], transactions: [{ amount: 100 }] }, ['all']],
      [{ all: false }, ['all']],
      [{ all: true, amount: 100 }, ['all']],
      [{ all: true, refund_line_items: [{ line_item_id: first }] }, ['all']],
      [{ all: 'everything' }, ['all']],
      [{ refund_line_items: [] }, ['refund_line_items']],
      [{ refund_line_items: {} }, ['refund_line_items']],
      [{ refund_line_items: 'all' }, ['refund_line_items']],
      [{ refund_line_items: [7] }, ['refund_line_items[0]']],
      [{ refund_line_items: [{ quantity: 1 }] }, [line]],
      [{ refund_line_items: [{ line_item_id: 999_999_999 }] }, [line]],
      [{ refund_line_items: [{ line_item_id: elsewhere.line_items[0].id }] }, [line]],
      [{ refund_line_items: [{ line_item_id: first, quantity: 3 }] }, [quantity]],
      [{ refund_line_items: [{ line_item_id: first, quantity: 0 }] }, [quantity]],
      [{ refund_line_items: [{ line_item_id: first, quantity: -1 }] }, [quantity]],
      [{ refund_line_items: [{ line_item_id: first, quantity: 'two' }] }, [quantity]],
      [
        {
          refund_line_items: [
            { line_item_id: first, quantity: 1 },
            { line_item_id: first, quantity: 1 },
          ],
        },
        ['refund_line_items[1].line_item_id'],
      ],
      [
        { amount: left + 1, refund_line_items: [{ line_item_id: second, quantity: 2 }, { line_item_id: 1 }] },
        ['amount', quantity, 'refund_line_items[1].line_item_id'],
      ],
      [{ all: true, note: 'x'.repeat(5001) }, ['note']],
      [{ note: 'a\0b', amount: 1 }, ['note']],
      [{ restock: 'perhaps' }, ['restock']],
    ]
    for (const [body, paths] of refused) assertBlames(await askRefund(shop, order.id, body), paths)
    assert.equal((await shop.post(`/api/orders/${order.id}/refunds.json`, {})).status, 400)
    assert.equal((await shop.post(`/api/orders/${order.id}/refunds.json`, { refund: 'all' })).status, 400)
    assert.equal((await shop.post(`/api/orders/${order.id}/refunds.json`, '{')).status, 400)
    assert.deepEqual(await everything(), before)
  })

  test('of a line that is refunded already is refused', async () => {
    const shop = await service.openShop()
    const order = await sell(shop, [{ product: await aFilm(service, shop) }, { product: await aFilm(service, shop) }])
    const refund_line_items = [{ line_item_id: order.line_items[0].id }]
    await refund(shop, order.id, { refund_line_items })
    assertBlames(await askRefund(shop, order.id, { refund_line_items }), ['refund_line_items[0].line_item_id'])
  })

  test('of an order of which nothing is left is a conflict', async () => {
    const { shop, order, first, everything } = await aSale()
    await refund(shop, order.id)
    const before = await everything()
    for (const body of [{ all: true }, { amount: 1 }, { refund_line_items: [{ line_item_id: first, quantity: 1 }] }]) {
      const answer = await askRefund(shop, order.id, body)
      assert.deepEqual([answer.status, answer.body.reason], [409, 'order_already_refunded'], answer.text)
      assert.equal(answer.body.error, `Order #${order.id} is refunded already: there is nothing left of it.`)
    }
    assert.deepEqual(await everything(), before)
  })

  test('of a cancelled order is about the money alone', async () => {
    const { shop, order, everything } = await aSale()
    await cancel(shop, order.id)
    const before = await everything()
    const made = await refund(shop, order.id, { all: true, restock: true })
    assert.equal(made.transactions[0].amount, order.total_price - 3000)
    const { financial_status, cancelled_at } = await readOrder(shop, order.id)
    assert.equal(financial_status, 'refunded')
    assert.notEqual(cancelled_at, null)
    await assertNumbers(shop, order.customer_token)
    const others = (all: Wire[]) => all.map(({ customer, stock, ledger }) => ({ customer, stock, ledger }))
    assert.deepEqual(others(await everything()), others(before), 'they went back with the cancellation')
    assert.equal((await askRefund(shop, order.id)).status, 409)
  })

  // The owner of the product sees the ledger entry but not the order.
  test('of the order of another company is the 404 of one that never was', async () => {
    const { owner, order, everything } = await aSale()
    const before = await everything()
    for (const ref of [order.id, 999_999_999, 'x', '0', '-1', '%00', '9'.repeat(30)]) {
      const answer = await owner.post(`/api/orders/${ref}/refunds.json`, { refund: {} })
      assert.equal(answer.status, 404, String(ref))
      assert.equal(answer.body.code, 'not_found')
    }
    assert.deepEqual(await everything(), before)
  })

  test('needs the scope orders', async () => {
    const { shop, order, everything } = await aSale()
    const before = await everything()
    const stranger = await shop.withScopes('products', 'customers', 'statistics')
    assert.equal((await askRefund(stranger, order.id)).status, 403)
    assert.deepEqual(await everything(), before)
    const { status } = await askRefund(await shop.withScopes('orders'), order.id)
    assert.equal(status, 201)
  })
})

describe('a refund that breaks off', () => {
  // The job is written last: everything before it has to be rolled back with it.
  test('leaves nothing behind, and can be requested again with the same key', async () => {
    const { shop, order, everything } = await aSale()
    const before = await everything()
    await sql`create function refuse_job() returns trigger language plpgsql as $$ begin raise 'no jobs today'; end $$`.execute(
      service.db,
    )
    await sql`create trigger refuse_job before insert on jobs for each row
      when (new.kind = 'order/tell-refund') execute function refuse_job()`.execute(service.db)
    const key = { 'idempotency-key': 'until it works' }
    const answer = await askRefund(shop, order.id, { all: true, restock: true }, key)
    assert.equal(answer.status, 500, answer.text)
    assert.deepEqual(await everything(), before)
    await sql`drop trigger refuse_job on jobs`.execute(service.db)
    assert.equal((await askRefund(shop, order.id, { all: true, restock: true }, key)).status, 201)
    assert.equal((await readOrder(shop, order.id)).financial_status, 'refunded')
  })
})

describe('a refund that is requested twice', () => {
  test('is made once with the same key', async () => {
    const { shop, order } = await aSale()
    const key = { 'idempotency-key': 'the same' }
    const [one, other] = await Promise.all([
      askRefund(shop, order.id, { amount: 100 }, key),
      askRefund(shop, order.id, { amount: 100 }, key),
    ])
    const third = await askRefund(shop, order.id, { amount: 100 }, key)
    assert.deepEqual([one.status, other.status, third.status], [201, 201, 201])
    assert.equal(third.text, one.text)
    assert.equal(other.text, one.text)
    assert.equal(third.headers.get('idempotent-replayed'), 'true')
    assert.equal((await readOrder(shop, order.id)).refunds.length, 2)
    assert.equal((await askRefund(shop, order.id, { amount: 101 }, key)).status, 422)
  })

  async function race(shop: Shop, orderId: number, body: object): Promise<number[]> {
    const answers = await Promise.all(Array.from({ length: 20 }, () => askRefund(shop, orderId, body)))
    assert.ok(
      answers.every(({ status }) => [201, 409, 422].includes(status)),
      JSON.stringify(answers.map(({ text }) => text)),
    )
    return answers.filter(({ status }) => status === 201).map(({ body }) => body.refund.id)
  }

  test('by twenty at once gives back the last piece once', async () => {
    const { shop, order, second } = await aSale()
    const made = await race(shop, order.id, {
      restock: true,
      refund_line_items: [{ line_item_id: second, quantity: 1 }],
    })
    assert.equal(made.length, 1)
    const after = await readOrder(shop, order.id)
    assert.deepEqual(after.refunds.map(({ id }: { id: number }) => id).slice(1), made)
  })

  test('by twenty at once pays back no more than was paid', async () => {
    const shop = await service.openShop()
    const cup = await aGood(service, shop, 1000, 50)
    const order = await sell(shop, [{ product: cup, quantity: 4 }])
    const line = { line_item_id: order.line_items[0].id, quantity: 1 }
    assert.equal((await race(shop, order.id, { restock: true, refund_line_items: [line] })).length, 4)
    assert.equal(await stockOf(shop, cup), 50)
    assert.equal((await readOrder(shop, order.id)).financial_status, 'refunded')
    const other = await sell(shop, [{ product: cup, quantity: 1 }])
    assert.equal((await race(shop, other.id, { amount: 300 })).length, 3)
  })

  test('in many shops at once puts the goods of one owner back, all of them', async () => {
    const owner = await service.openShop()
    const [cup, jug] = [await aGood(service, owner, 1000, 100), await aGood(service, owner, 2000, 100)]
    const sellers = await Promise.all(Array.from({ length: 4 }, () => service.openShop()))
    const sales: { shop: Shop; id: number }[] = []
    for (const [index, shop] of sellers.entries()) {
      const mirrors = await mirrorAll(service, owner, shop)
      // In one order here and in the other there.
      const lines = (index % 2 === 0 ? mirrors : mirrors.toReversed()).map((product) => ({ product, quantity: 3 }))
      for (let sold = 0; sold < 3; sold += 1) sales.push({ shop, id: (await sell(shop, lines)).id })
    }
    const answers = await Promise.all([
      ...sales.map(({ shop, id }) => askRefund(shop, id, { all: true, restock: true })),
      ...sales.map(({ shop, id }) => shop.delete(`/api/orders/${id}.json`)),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status).filter((status) => ![200, 201, 409].includes(status)),
      [],
    )
    assert.deepEqual([await stockOf(owner, cup), await stockOf(owner, jug)], [100, 100])
    assert.equal(
      (await readLedger(owner)).reduce((cents, { amount }) => cents + amount, 0),
      0,
    )
  })

  // Each locks the customer, the order and the stock, always in the same order, or they would deadlock.
  test('beside sales, cancellations and changes of the same customer ends, and all numbers are right', async () => {
    const shop = await service.openShop()
    const cup = await aGood(service, shop, 1000, 500)
    const first = await sell(shop, [{ product: cup, quantity: 10 }])
    const customer = { token: first.customer_token }
    const orders = await Promise.all(
      Array.from({ length: 6 }, () => sell(shop, [{ product: cup, quantity: 2 }], { customer })),
    )
    const answers = await Promise.all([
      ...orders.slice(0, 3).map(({ id }) => askRefund(shop, id, { all: true, restock: true })),
      ...orders.slice(2).map(({ id }) => shop.delete(`/api/orders/${id}.json`)),
      ...orders.map(({ id }) => shop.put(`/api/orders/${id}.json`, { order: { po_number: 'P' } })),
      ...Array.from({ length: 6 }, () =>
        askRefund(shop, first.id, {
          restock: true,
          refund_line_items: [{ line_item_id: first.line_items[0].id, quantity: 1 }],
        }),
      ),
      ...Array.from({ length: 4 }, () => sell(shop, [{ product: cup }], { customer }).then(() => ({ status: 201 }))),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status).filter((status) => ![200, 201, 409].includes(status)),
      [],
    )
    await assertNumbers(shop, customer.token)
    assert.equal(await stockOf(shop, cup), 500 - 4 - 4)
  })
})
