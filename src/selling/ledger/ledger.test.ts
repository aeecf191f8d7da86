import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asciiJson } from '#platform/wire/times.ts'
import { rebuild } from '#program/rebuild.ts'
import { useService } from '#test/harness.ts'
import { aDiscountCode, aFilm, readOrder } from '#test/orders.ts'
import { aGood, askRefund, cancel, mirrorAll, readLedger, refund, sell, stockOf } from '#test/sales.ts'
import { presentLedgerEntry } from './present.ts'
import { readLedgerEntries } from './queries.ts'

const service = useService()

/** A shop that sells the film and the cup of another one. */
async function aMarket(percent = 30) {
  const [owner, seller] = [await service.openShop(), await service.openShop()]
  const film = await aFilm(service, owner, 1190)
  const cup = await aGood(service, owner, 999, 20)
  const [mirroredFilm, mirroredCup] = await mirrorAll(service, owner, seller, percent)
  return { owner, seller, film, cup, mirroredFilm, mirroredCup }
}

type Entry = { kind: string; amount: number; quantity: number }
const inShort = (entries: Entry[]) => entries.map(({ kind, amount, quantity }) => ({ kind, amount, quantity }))
const balanceOf = (entries: Entry[]) => entries.reduce((cents, { amount }) => cents + amount, 0)

describe('a sale of a mirrored product', () => {
  test('is booked for both sides: what the owner gets the seller owes', async () => {
    const { owner, seller, cup, mirroredFilm, mirroredCup } = await aMarket()
    const own = await aFilm(service, seller)
    const order = await sell(seller, [
      { product: own },
      { product: mirroredFilm },
      { product: mirroredCup, quantity: 3 },
    ])
    assert.equal(await stockOf(owner, cup), 17)
    const [theirs, ours] = [await readLedger(owner), await readLedger(seller)]
    // Of the net price: 1190 with 19 percent of tax are 1000; 2997 are 2518, of which 30 percent are 755.
    assert.deepEqual(inShort(theirs), [
      { kind: 'sale', amount: 300, quantity: 1 },
      { kind: 'sale', amount: 755, quantity: 3 },
    ])
    const [{ id, created_at, ...first }] = ours
    assert.ok(id > 0)
    assert.equal(created_at, order.created_at)
    assert.deepEqual(first, {
      kind: 'sale',
      counterpart_id: owner.companyId,
      selling_company_id: seller.companyId,
      order_id: order.id,
      line_item_id: order.line_items[1].id,
      refund_id: null,
      product_id: mirroredFilm.product_id,
      title: mirroredFilm.title,
      quantity: 1,
      cost_to_licensees_percent: 30,
      amount: -300,
      currency: 'EUR',
    })
    for (const [index, entry] of theirs.entries()) {
      const { id: _id, ...rest } = entry
      const { id: _other, ...other } = ours[index]
      assert.deepEqual(rest, { ...other, counterpart_id: seller.companyId, amount: -other.amount })
    }
  })

  test('is booked at the price before the discount, which is for the seller to give', async () => {
    const { owner, seller, mirroredFilm } = await aMarket()
    await aDiscountCode(service, seller, { code: 'HALF', type: 'percentage', amount: 50 })
    const order = await sell(seller, [{ product: mirroredFilm }], { discount_codes: [{ code: 'HALF' }] })
    assert.equal(order.total_price, 595)
    assert.equal(balanceOf(await readLedger(owner)), 300)
    await refund(seller, order.id)
    assert.equal(balanceOf(await readLedger(owner)), 0)
  })

  test('is booked back with what is refunded, in steps that come to the whole', async () => {
    const { owner, seller, cup, mirroredCup } = await aMarket()
    const order = await sell(seller, [{ product: mirroredCup, quantity: 3 }])
    const line_item_id = order.line_items[0].id
    const made = await refund(seller, order.id, { restock: true, refund_line_items: [{ line_item_id, quantity: 1 }] })
    assert.equal(await stockOf(owner, cup), 18, 'goods go back to where they came from')
    await refund(seller, order.id, { amount: 50 })
    await refund(seller, order.id, { all: true, restock: true })
    assert.equal(await stockOf(owner, cup), 20)
    const theirs = await readLedger(owner)
    assert.deepEqual(inShort(theirs), [
      { kind: 'sale', amount: 755, quantity: 3 },
      { kind: 'refund', amount: -252, quantity: 1 },
      { kind: 'refund', amount: -503, quantity: 2 },
    ])
    assert.equal(theirs[1].refund_id, made.id)
    assert.equal(balanceOf(await readLedger(seller)), 0)
  })

  test('is booked back with a cancellation, but for what was refunded before', async () => {
    const { owner, seller, cup, mirroredCup } = await aMarket(33.33)
    const order = await sell(seller, [{ product: mirroredCup, quantity: 3 }])
    await refund(seller, order.id, {
      restock: true,
      refund_line_items: [{ line_item_id: order.line_items[0].id, quantity: 2 }],
    })
    await cancel(seller, order.id)
    assert.deepEqual(inShort(await readLedger(owner)), [
      { kind: 'sale', amount: 839, quantity: 3 },
      { kind: 'refund', amount: -559, quantity: 2 },
      { kind: 'cancellation', amount: -280, quantity: 1 },
    ])
    assert.equal(balanceOf(await readLedger(seller)), 0)
    assert.equal(await stockOf(owner, cup), 20)
  })

  test('in a currency without cents is refunded and booked in whole units', async () => {
    const { owner, seller, mirroredFilm } = await aMarket(33.33)
    const order = await sell(seller, [{ product: mirroredFilm, quantity: 7 }], { currency: 'JPY' })
    const line_item_id = order.line_items[0].id
    assert.equal((await askRefund(seller, order.id, { amount: 150 })).status, 422)
    await refund(seller, order.id, { amount: 100 })
    for (const quantity of [1, 2, 3])
      await refund(seller, order.id, { refund_line_items: [{ line_item_id, quantity }] })
    await refund(seller, order.id, { amount: 200, refund_line_items: [{ line_item_id }] })
    await refund(seller, order.id)
    const { refunds, financial_status } = await readOrder(seller, order.id)
    assert.equal(financial_status, 'refunded')
    for (const { transactions } of refunds) assert.equal(transactions[0].amount % 100, 0)
    const entries = await readLedger(owner)
    assert.equal(entries.length, 5)
    for (const { amount } of entries) assert.equal(amount % 100 === 0, true, String(amount))
    assert.equal(balanceOf(entries), 0)
  })

  test('that is a test, or of something of its own, is not booked', async () => {
    const { owner, seller, mirroredFilm } = await aMarket()
    const order = await sell(seller, [{ product: mirroredFilm }], { test: true })
    await refund(seller, order.id)
    const other = await sell(seller, [{ product: await aFilm(service, seller) }])
    await refund(seller, other.id)
    assert.deepEqual([await readLedger(seller), await readLedger(owner)], [[], []])
  })
})

describe('GET /api/ledger_entries.json', () => {
  test('is narrowed by time, paged and cut down, and counted', async () => {
    const { owner, seller, mirroredFilm } = await aMarket()
    for (let sold = 0; sold < 3; sold += 1) {
      await sell(seller, [{ product: mirroredFilm }])
      service.clock.advance(60)
    }
    const all = await readLedger(owner)
    const [, second] = all
    const since = `created_at_min=${second.created_at}`
    const until = `created_at_max=${second.created_at}`
    const get = async (query: string) => (await owner.get(`/api/ledger_entries.json?${query}`)).body.ledger_entries
    const count = async (query: string) => (await owner.get(`/api/ledger_entries/count.json?${query}`)).body.count
    assert.deepEqual(await get(since), all.slice(1))
    assert.deepEqual(await get(until), all.slice(0, 2))
    assert.deepEqual(await get(`${since}&${until}`), [second])
    assert.deepEqual(
      [await count(''), await count(since), await count(until), await count(`${since}&${until}`)],
      [3, 2, 2, 1],
    )
    assert.equal(await count(`since_id=${second.id}`), 1)
    assert.deepEqual(await get('limit=1&fields=amount,order_id'), [{ amount: 300, order_id: all[0].order_id }])
    const page = await owner.get('/api/ledger_entries.json?limit=2')
    const next = /<https?:\/\/[^/]+([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    assert.deepEqual((await owner.get(next)).body.ledger_entries, all.slice(2))
    assert.deepEqual(await get('page=2&limit=2'), all.slice(2))
    assert.equal((await owner.get('/api/ledger_entries.json?created_at_min=yesterday')).status, 422)
    assert.equal((await owner.get('/api/ledger_entries/count.json?created_at_max=yesterday')).status, 422)
  })

  test('shows each side its own entries, and a third company none', async () => {
    const { owner, seller, mirroredFilm } = await aMarket()
    await sell(seller, [{ product: mirroredFilm }])
    const stranger = await service.openShop()
    assert.deepEqual(await readLedger(stranger), [])
    assert.equal((await stranger.get('/api/ledger_entries/count.json')).body.count, 0)
    const [[theirs], [ours]] = [await readLedger(owner), await readLedger(seller)]
    assert.notEqual(theirs.id, ours.id)
    for (const shop of [owner, seller]) assert.equal((await shop.get('/api/ledger_entries/count.json')).body.count, 1)
  })

  test('needs the scope orders, and is read-only', async () => {
    const shop = await service.openShop()
    const other = await shop.withScopes('products', 'customers', 'companies')
    assert.equal((await other.get('/api/ledger_entries.json')).status, 403)
    assert.equal((await other.get('/api/ledger_entries/count.json')).status, 403)
    assert.equal((await (await shop.withScopes('orders')).get('/api/ledger_entries.json')).status, 200)
    assert.equal((await shop.post('/api/ledger_entries.json', { ledger_entry: { amount: 1 } })).status, 405)
  })

  test('sends documents that are the freshly presented ones, and a rebuild repairs them', async () => {
    const { owner, seller, mirroredFilm } = await aMarket()
    await sell(seller, [{ product: mirroredFilm }])
    const [before] = await readLedger(owner)
    const [entry] = await readLedgerEntries(service.db, owner.companyId, [before.id])
    assert.deepEqual(before, JSON.parse(asciiJson(presentLedgerEntry(entry!))))
    await service.db
      .updateTable('ledger_entries')
      .set({ document: '{}' })
      .where('company_id', '=', owner.companyId)
      .execute()
    assert.ok(Number((await rebuild(service.db)).ledger_entries) >= 2)
    assert.deepEqual(await readLedger(owner), [before])
  })
})
