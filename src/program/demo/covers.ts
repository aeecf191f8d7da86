import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { picturesOf } from '#catalog/pictures/queries.ts'
import { addStoredPicture } from '#catalog/pictures/store.commands.ts'
import { refreshProducts } from '#catalog/products/commands.ts'
import { PRODUCTS, productsOf } from '#catalog/products/queries.ts'
import { type Medium, mediumOf } from '#catalog/products/types.facts.ts'
import type { Db } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import type { Files } from '#platform/files/files.ts'
import { SHOWPIECES } from './catalog.ts'

const COVERS = join(import.meta.dirname, 'covers')

/** Covers without a title, for products that have none of their own. */
const SHARED: Readonly<Partial<Record<Medium, { name: string; count: number }>>> = {
  film: { name: 'film', count: 5 },
  audio: { name: 'sound', count: 3 },
  book: { name: 'book', count: 3 },
}
const ANYTHING = { name: 'thing', count: 4 }

function coverOf({ title, product_type }: { title: string; product_type: number }, index: number): string {
  const own = SHOWPIECES.find(({ en }) => en.title === title)?.cover
  const { name, count } = SHARED[mediumOf(product_type)] ?? ANYTHING
  return own ?? `${name}-${1 + (index % count)}`
}

/**
 * Gives the products of a demo shop their covers, the newest first, because the home page begins with it. It does nothing
 * where the company has pictures, so that it runs after every start without a cost.
 */
export async function addDemoCovers(
  { db, files, now }: { db: Db; files: Files; now: () => Date },
  companyId: number,
): Promise<void> {
  if ((await picturesOf(db, companyId).select('id').limit(1).executeTakeFirst()) !== undefined) return
  const products = await productsOf(db, companyId)
    .select(['products.id', 'products.title', 'products.product_type'])
    .orderBy('products.id', 'desc')
    .execute()
  for (const [index, product] of products.entries())
    await addStoredPicture(
      { db, files },
      {
        companyId,
        owner: { product_key: product.id },
        now: now(),
        bytes: await readFile(join(COVERS, `${coverOf(product, index)}.webp`)),
        takeId: async (tx) => (await takeIds(tx, PRODUCTS, 0, 1)).takePartId(),
        onStored: (tx) => refreshProducts(tx, companyId, [product.id], now()),
      },
    )
}
