import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { useSentValues } from '#test/sent-values.ts'

const service = useService()
const sentFor = useSentValues()

const PIECES = 900

async function aBulkOrder(shop: Shop, quantity: number, films = 2): Promise<Wire> {
  const lines = await Promise.all(
    Array.from({ length: films }, async () => ({ product_id: (await aFilm(service, shop)).product_id, quantity })),
  )
  return anOrder(shop, await aBuyer(shop), lines)
}

async function statesOf(shop: Shop, { id }: Wire): Promise<Record<string, number>> {
  const { entitlements } = (await shop.get(`/api/entitlements.json?order_id=${id}`)).body
  return Object.fromEntries(
    [...Map.groupBy(entitlements, ({ state, code }: Wire) => `${state} ${code}`)].map(([key, all]) => [
      key,
      all.length,
    ]),
  )
}

// What an order of thousands of pieces costs, a transaction keeps from others: the customer, the stock, a connection.
describe('an order of many pieces', () => {
  for (const [what, change, states] of [
    ['is cancelled', (shop, { id }) => shop.delete(`/api/orders/${id}.json`), { 'revoked cancelled': 2 * PIECES }],
    [
      'is put on hold',
      (shop, { id }) => shop.put(`/api/orders/${id}.json`, { order: { confirmed: false } }),
      { 'suspended order_not_confirmed': 2 * PIECES },
    ],
    [
      'is refunded',
      (shop, { id }) => shop.post(`/api/orders/${id}/refunds.json`, { refund: { all: true } }),
      { 'revoked refunded': 2 * PIECES },
    ],
  ] satisfies [string, (shop: Shop, order: Wire) => Promise<unknown>, Record<string, number>][])
    test(`${what} with as little traffic as a short one`, async () => {
      const shop = await service.openShop()
      const short = await aBulkOrder(shop, 1)
      const few = await sentFor(() => change(shop, short))
      const long = await aBulkOrder(shop, PIECES)
      const many = await sentFor(() => change(shop, long))
      assert.deepEqual(await statesOf(shop, long), states)
      // An id has up to 20 characters.
      assert.ok(many - few < 2 * PIECES * 20, `${many} characters instead of ${few}`)
    })

  // Thousands of documents in one statement keep everybody else waiting while they are made.
  test('is cancelled with a thousand pieces per statement, whether they are alike or not', async () => {
    const shop = await service.openShop()
    const [used, unused] = [await aBulkOrder(shop, 2500, 1), await aBulkOrder(shop, 2500, 1)]
    await sql`update entitlements set first_used_at = now(), usage = jsonb_set(usage, '{downloads}', to_jsonb(piece))
      where order_id = ${used.id}`.execute(service.db)
    await sql`create table written (pieces integer)`.execute(service.db)
    await sql`create function note() returns trigger language plpgsql as $$ begin
        insert into written select count(*) from fresh; return null; end $$`.execute(service.db)
    await sql`create trigger note after update on entitlements referencing new table as fresh
      for each statement execute function note()`.execute(service.db)
    for (const order of [used, unused]) {
      assert.equal((await shop.delete(`/api/orders/${order.id}.json`)).status, 200)
      assert.deepEqual(await statesOf(shop, order), { 'revoked cancelled': 2500 })
    }
    const { rows } = await sql<{ pieces: number }>`select pieces from written order by 1`.execute(service.db)
    assert.deepEqual(
      rows.map(({ pieces }) => pieces),
      [500, 500, 1000, 1000, 1000, 1000],
    )
  })

  test('loses pieces that nobody has used first, and keeps what is used as it is', async () => {
    const shop = await service.openShop()
    const order = await aBulkOrder(shop, 5, 1)
    const list = async () => (await shop.get(`/api/entitlements.json?order_id=${order.id}`)).body.entitlements
    const [, , used] = await list()
    const use = { use: { action: 'play', device: 'tv' } }
    assert.equal((await shop.post(`/api/entitlements/${used.id}/use.json`, use)).status, 200)
    const [line] = order.line_items
    const refund = { refund_line_items: [{ line_item_id: line.id, quantity: 4 }] }
    assert.equal((await shop.post(`/api/orders/${order.id}/refunds.json`, { refund })).status, 201)
    const left = (await list()).filter(({ state }: Wire) => state !== 'revoked')
    assert.deepEqual(
      left.map(({ id, first_used_at }: Wire) => [id, first_used_at !== null]),
      [[used.id, true]],
    )
  })
})
