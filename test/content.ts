import { sql } from 'kysely'
import { rewriteProducts } from '#catalog/products/commands.ts'
import { type MachineClock, nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'

/**
 * Gives a product a content file, so that shops sell it: a row without bytes, which nobody can open. Tests that deliver
 * content upload it.
 */
export async function withContent<Product extends { id: number }>(
  service: { db: Db; clock: MachineClock },
  shop: { companyId: number },
  product: Product,
): Promise<Product> {
  const now = nowInSeconds(service.clock)
  await inTransaction(service.db, async (tx) => {
    await sql`insert into content_files (company_id, product_key, name, role, language, position, status, content_type, size,
        sha256, created_at, updated_at, ready_at)
      values (${shop.companyId}, ${product.id}, 'content.bin', 'main_sd', '', 0, 'ready', 'application/octet-stream', 1,
        ${'0'.repeat(64)}, ${now}, ${now}, ${now})`.execute(tx)
    await rewriteProducts(tx, shop.companyId, [product.id])
  })
  return product
}
