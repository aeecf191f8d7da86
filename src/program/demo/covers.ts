import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { picturesOf } from '#catalog/pictures/queries.ts'
import { addStoredPicture } from '#catalog/pictures/store.commands.ts'
import { refreshProducts } from '#catalog/products/commands.ts'
import { PRODUCTS, productsOf } from '#catalog/products/queries.ts'
import { type Medium, mediumOf } from '#catalog/products/types.facts.ts'
import type { CompanyTime } from '#platform/clock.ts'
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

/** Chooses covers. Those that are shared are taken in turn, so that none comes twice before all have come. */
function createChoice() {
  const taken = new Map<string, number>()
  return ({ title, product_type }: { title: string; product_type: number }): string => {
    const own = SHOWPIECES.find(({ en }) => en.title === title)?.cover
    if (own !== undefined) return own
    const { name, count } = SHARED[mediumOf(product_type)] ?? ANYTHING
    const turn = taken.get(name) ?? 0
    taken.set(name, turn + 1)
    return `${name}-${1 + (turn % count)}`
  }
}

/** The film with which the shop begins has a wide picture too. */
const WITH_STILL = new Set(['the-last-ferry'])

function picturesNamed(cover: string): string[] {
  return WITH_STILL.has(cover) ? [cover, `${cover}-still`] : [cover]
}

/**
 * Gives the products of a demo shop their covers, the newest first, because the home page begins with it. It does nothing
 * where the company has pictures, so that it runs after every start without a cost.
 */
export async function addDemoCovers(
  { db, files, now }: { db: Db; files: Files; now: CompanyTime },
  companyId: number,
): Promise<void> {
  if ((await picturesOf(db, companyId).select('id').limit(1).executeTakeFirst()) !== undefined) return
  const products = await productsOf(db, companyId)
    .select(['products.id', 'products.title', 'products.product_type'])
    .orderBy('products.id', 'desc')
    .execute()
  const coverOf = createChoice()
  for (const product of products)
    for (const [position, name] of picturesNamed(coverOf(product)).entries())
      await addStoredPicture(
        { db, files },
        {
          companyId,
          owner: { product_key: product.id },
          position,
          now: now(companyId),
          bytes: await readFile(join(COVERS, `${name}.webp`)),
          takeId: async (tx) => (await takeIds(tx, PRODUCTS, 0, 1)).takePartId(),
          onStored: (tx) => refreshProducts(tx, companyId, [product.id], now(companyId)),
        },
      )
}
