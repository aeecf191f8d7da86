import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createProducts } from '#catalog/products/commands.ts'
import { type Shop, useService } from '#test/harness.ts'
import { plansOf, rowsRead } from '#test/plans.ts'
import { inTransaction } from './transaction.ts'

const service = useService()
const PRODUCTS = 3000

let shop: Shop

/** How many rows of products a list reads, and how many it shows. */
async function readBy(path: string): Promise<{ shown: number; read: number }> {
  let shown = 0
  const plans = await plansOf(service, 'products', async () => {
    shown = (await shop.get(path)).body.products.length
  })
  assert.equal(plans.length, 1)
  return { shown, read: plans.reduce((sum, plan) => sum + rowsRead(plan, 'products'), 0) }
}

describe('a page by number', () => {
  before(async () => {
    shop = await service.openShop()
    const inputs = Array.from({ length: PRODUCTS }, (_, index) => ({
      input: { product_type: 1, title: `Film ${index}`, published: index % 3 > 0 },
      now: new Date(1_700_000_000_000 + index * 1000),
    }))
    await inTransaction(service.db, (tx) => createProducts(tx, shop.companyId, inputs))
    // Where PostgreSQL has not vacuumed yet, it looks up in the table whether an entry of an index is still valid. A vacuum
    // passes over rows whose commit is not on the disk.
    await sql`checkpoint`.execute(service.db)
    await sql`vacuum analyze products`.execute(service.db)
  })

  for (const filter of ['', '&published_status=published', '&product_type=1'])
    test(`reads the rows of the page and none before it: page=30${filter}`, async () => {
      const { shown, read } = await readBy(`/api/products.json?page=30${filter}`)
      assert.equal(shown, 50)
      assert.ok(read > 0 && read <= 51, `${read} rows were read`)
    })

  test('behind the end reads no row', async () => {
    assert.deepEqual(await readBy('/api/products.json?page=900'), { shown: 0, read: 0 })
  })
})
