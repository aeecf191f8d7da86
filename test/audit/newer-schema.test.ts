import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { aCategory, aProduct } from '#test/factories.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, someGoods } from '#test/orders.ts'
import { askRefund } from '#test/sales.ts'

const service = useService()

/** What migrations of a newer version may do while this one runs: every table gets columns and an index. */
async function expand(round: number): Promise<number> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not like 'kysely\\_%'
    order by relname`.execute(service.db)
  for (const { name } of rows)
    await sql`alter table ${sql.table(name)}
      add column ${sql.ref(`later_${round}`)} text not null default 'later',
      add column ${sql.ref(`maybe_${round}`)} jsonb`.execute(service.db)
  await sql`create table ${sql.table(`later_${round}`)} (id bigint primary key)`.execute(service.db)
  await sql`insert into kysely_migration values (${`900${round}_later`}, '')`.execute(service.db)
  return rows.length
}

/** A day of a shop: everything that it does most, as calls whose answers must not depend on the schema. */
async function day(shop: Shop, film: { id: number; product_id: string }): Promise<[string, Answer][]> {
  const customer = await aBuyer(shop)
  const goods = await someGoods(service, shop)
  const order = await anOrder(shop, customer, [goods, film])
  const answers: [string, Answer][] = [['refund', await askRefund(shop, order.id)]]
  const change = { product: { title: 'Changed' } }
  answers.push(['change', await shop.put(`/api/products/${film.id}.json`, change)])
  for (const path of [
    '/ready',
    '/api/products.json?limit=10',
    `/api/products/${film.id}.json`,
    '/api/products.json?query=title:changed',
    '/api/products/count.json',
    '/api/categories.json',
    '/api/prices.json',
    '/api/licenses.json',
    '/api/orders.json',
    `/api/orders/${order.id}.json`,
    '/api/orders/count.json?status=any',
    '/api/customers.json',
    `/api/customers/${customer.token}/content.json`,
    '/api/companies.json',
    '/api/users.json',
    '/api/events.json',
    '/api/themesettings.json',
    '/api/discount_codes.json',
    `/api/statistics/overview/${shop.companyId}.json`,
    '/api/attention.json',
    `/shop/${shop.companyId}/`,
    `/shop/${shop.companyId}/products/${film.id}`,
  ])
    answers.push([path, await shop.get(path)])
  await service.runJobs()
  return answers
}

describe('a service whose database a newer version migrates meanwhile', () => {
  test('answers every request as before', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    await aCategory(shop)
    await aProduct(shop)
    const before = await day(shop, film)
    for (const round of [1, 2]) {
      assert.ok((await expand(round)) > 100, 'it saw the tables')
      const after = await day(shop, film)
      const statuses = (answers: [string, Answer][]) =>
        answers.map(([path, { status }]) => [path.replace(/\d+|[A-Z]{16}/g, ''), status])
      assert.deepEqual(statuses(after), statuses(before), `round ${round}`)
      assert.deepEqual(
        service.log.filter((line) => /"level":(50|60)/.test(line)),
        [],
      )
    }
    assert.deepEqual(
      before.filter(([, { status }]) => status >= 300).map(([path, { status }]) => `${path} ${status}`),
      [],
    )
  })
})
