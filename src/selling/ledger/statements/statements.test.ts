import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { aMember } from '#test/people.ts'
import { mirrorAll, readLedger, refund, sell } from '#test/sales.ts'

const service = useService()

/** A shop that has sold two films of another one, one of which was refunded. */
async function aMarket() {
  const [owner, seller] = [await service.openShop(), await service.openShop()]
  await aFilm(service, owner, 1190)
  const [film] = await mirrorAll(service, owner, seller, 30)
  const order = await sell(seller, [{ product: film, quantity: 2 }])
  await refund(seller, order.id, { refund_line_items: [{ line_item_id: order.line_items[0].id, quantity: 1 }] })
  const nameOf = async (shop: Shop) =>
    (await shop.get(`/api/companies/${shop.companyId}.json`)).body.company.company_name
  return { owner, seller, film, order, names: { owner: await nameOf(owner), seller: await nameOf(seller) } }
}

const monthOf = ({ created_at }: Wire) => String(created_at).slice(0, 7)

async function statement(shop: Shop, month: string): Promise<Wire> {
  const answer = await shop.get(`/api/ledger_statements/${month}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.ledger_statement
}

const move = (shop: Shop, id: number, created_at: Date) =>
  service.db
    .updateTable('ledger_entries')
    .set({ created_at })
    .where('company_id', '=', shop.companyId)
    .where('id', '=', id)
    .execute()

describe('GET /api/ledger_balances.json', () => {
  test('is what all entries with a company come to, for both sides', async () => {
    const { owner, seller, names } = await aMarket()
    const [ours, theirs] = await Promise.all(
      [seller, owner].map(async (shop) => (await shop.get('/api/ledger_balances.json')).body.ledger_balances),
    )
    const common = { currency: 'EUR', entries: 2 }
    assert.deepEqual(ours, [{ ...common, counterpart_id: owner.companyId, company_name: names.owner, amount: -300 }])
    assert.deepEqual(theirs, [{ ...common, counterpart_id: seller.companyId, company_name: names.seller, amount: 300 }])
  })
})

describe('the statements', () => {
  test('are by month and currency, the newest first, with what is owed at the end', async () => {
    const { seller } = await aMarket()
    const [sale, back] = await readLedger(seller)
    await move(seller, sale.id, new Date('2026-01-15T12:00:00Z'))
    await move(seller, back.id, new Date('2026-02-15T12:00:00Z'))
    const { body } = await seller.get('/api/ledger_statements.json')
    const common = { currency: 'EUR', entries: 1 }
    assert.deepEqual(body.ledger_statements, [
      { ...common, month: '2026-02', sales: 0, refunds: 300, amount: 300, closing: -300 },
      { ...common, month: '2026-01', sales: -600, refunds: 0, amount: -600, closing: -600 },
    ])
  })

  test('of a month name each company, and what was owed before', async () => {
    const { owner, seller, names } = await aMarket()
    const [sale, back] = await readLedger(seller)
    await move(seller, sale.id, new Date('2026-01-15T12:00:00Z'))
    await move(seller, back.id, new Date('2026-02-15T12:00:00Z'))
    const february = await statement(seller, '2026-02')
    assert.deepEqual(february.lines, [
      {
        counterpart_id: owner.companyId,
        company_name: names.owner,
        currency: 'EUR',
        is_seller: true,
        entries: 1,
        sales: 0,
        refunds: 300,
        amount: 300,
      },
    ])
    assert.deepEqual(february.totals, [{ currency: 'EUR', opening: -600, amount: 300, closing: -300 }])
    const march = await statement(seller, '2026-03')
    assert.deepEqual([march.lines, march.totals[0].closing], [[], -300])
    assert.deepEqual((await statement(seller, '2025-12')).totals, [])
    const theirs = await statement(owner, monthOf((await readLedger(owner))[0]))
    assert.deepEqual([theirs.lines[0].is_seller, theirs.lines[0].amount], [false, 300])
  })

  test('begin and end where the company is, to the second', async () => {
    const { seller } = await aMarket()
    await seller.put(`/api/users/${seller.userId}.json`, { user: { time_zone: 120 } })
    const [sale, back] = await readLedger(seller)
    await move(seller, sale.id, new Date('2026-01-31T21:59:59Z'))
    await move(seller, back.id, new Date('2026-01-31T22:00:00Z'))
    const { body } = await seller.get('/api/ledger_statements.json')
    assert.deepEqual(
      body.ledger_statements.map(({ month, amount }: Wire) => [month, amount]),
      [
        ['2026-02', 300],
        ['2026-01', -600],
      ],
    )
    const february = await statement(seller, '2026-02')
    assert.deepEqual([february.from, february.to], ['2026-01-31T22:00:00', '2026-02-28T21:59:59'])
    assert.equal(february.lines[0].amount, 300)
    const span = `created_at_min=${february.from}&created_at_max=${february.to}`
    const listed = (await seller.get(`/api/ledger_entries.json?${span}`)).body.ledger_entries
    assert.deepEqual(
      listed.map(({ id }: Wire) => id),
      [back.id],
    )
  })

  test('of something that is no month are not found', async () => {
    const shop = await service.openShop()
    for (const month of ['2026', '2026-13', '2026-00', 'x', '20260-1', '1999-01']) {
      const answer = await shop.get(`/api/ledger_statements/${month}.json`)
      assert.deepEqual([answer.status, answer.body.reason], [404, 'statement_not_found'], month)
    }
  })

  test('are for those who may read the ledger', async () => {
    const shop = await service.openShop()
    const member = await aMember(service, shop)
    await shop.put(`/api/users/${member.id}.json`, { user: { permissions: { RepAccounting: 0 } } })
    const limited = await shop.asUser(member.id)
    for (const path of ['ledger_balances.json', 'ledger_statements.json', 'ledger_statements/2026-01.json'])
      assert.equal((await limited.get(`/api/${path}`)).status, 403, path)
  })
})

describe('the ledger as a file', () => {
  test('has a line for each entry, with the name of the company', async () => {
    const { owner, seller, order, film, names } = await aMarket()
    const file = await seller.get('/api/ledger_entries.json?format=csv')
    assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8')
    const [heading, sale, back, end] = file.text.split('\r\n')
    assert.equal(
      heading,
      'id,created_at,kind,company,company_id,sold_by,order_id,product_id,title,quantity,percent,amount,currency',
    )
    const [first] = await readLedger(seller)
    assert.equal(
      sale,
      [
        first.id,
        first.created_at,
        'sale',
        names.owner,
        owner.companyId,
        seller.companyId,
        order.id,
        film.product_id,
        film.title,
        2,
        30,
        '-6.00',
        'EUR',
      ].join(),
    )
    assert.match(back ?? '', /,refund,.*,3\.00,EUR$/)
    assert.equal(end, '')
    const none = await seller.get(`/api/ledger_entries.json?format=csv&counterpart_id=${seller.companyId}`)
    assert.equal(none.text, `${heading}\r\n`)
  })
})
