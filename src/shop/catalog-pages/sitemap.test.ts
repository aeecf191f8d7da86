import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createProducts } from '#catalog/products/commands.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aPrice, BUY } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { baseOf } from '#test/shop-pages.ts'

const service = useService()

/** How many statements of sitemaps PostgreSQL is working on. */
const BUSY = `select count(*)::int as busy from pg_stat_activity where datname = current_database() and state = 'active'
  and pid <> pg_backend_pid() and query like '%products.updated_at%' and query like 'select products.id%'`

// Anybody may ask for a sitemap, however large the shop is.
test('sitemaps that are asked for at once take turns, and are whole', async () => {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 999 }] })
  const inputs = Array.from({ length: 1600 }, (_, number) => ({
    input: {
      product_type: 9,
      title: `Ferry ${number}`,
      published: true,
      price_license_binding: [{ license_id: BUY, price_id: price.id }],
    },
    now: new Date(),
  }))
  await inTransaction(service.db, (tx) => createProducts(tx, shop.companyId, inputs))
  const address = `${service.url}${await baseOf(shop)}/sitemap.xml`
  const watcher = new pg.Client(service.database.connection)
  await watcher.connect()
  let isOver = false
  const asked = Promise.all(Array.from({ length: 12 }, async () => (await fetch(address)).text())).finally(() => {
    isOver = true
  })
  const seen: number[] = []
  while (!isOver) seen.push((await watcher.query(BUSY)).rows[0].busy)
  await watcher.end()
  for (const text of await asked) assert.equal(text.match(/\/products\/\d+-ferry-/g)?.length, 1600)
  assert.deepEqual([...new Set(seen)].sort(), [0, 1])
})
