import { readCategoryPaths } from '#catalog/category-tree/queries.ts'
import { readLicenseNames } from '#catalog/licenses/queries.ts'
import { readPriceNames } from '#catalog/prices/queries.ts'
import type { Db } from '#platform/db/database.ts'
import type { Product } from '../schema.ts'
import { linesOf, type Names } from './present.ts'

/** Products as lines of a file, with the names of what they refer to. */
export async function readLines(db: Db, companyId: number, rows: readonly { document: string }[]): Promise<string> {
  const products = rows.map(({ document }): Product => JSON.parse(document))
  return linesOf(products, await readNames(db, companyId, products))
}

async function readNames(db: Db, companyId: number, products: readonly Product[]): Promise<Names> {
  const offers = products.flatMap(({ price_license_binding }) => price_license_binding)
  const idsOf = (ids: (number | null)[]) => [...new Set(ids.filter((id) => id !== null))]
  const [licenses, prices, categories] = await Promise.all([
    readLicenseNames(db, companyId, idsOf(offers.map(({ license_id }) => license_id))),
    readPriceNames(
      db,
      companyId,
      idsOf(offers.flatMap(({ price_id, compare_price_id }) => [price_id, compare_price_id])),
    ),
    readCategoryPaths(
      db,
      companyId,
      idsOf(products.flatMap(({ categories }) => categories.map(({ category_id }) => category_id))),
    ),
  ])
  return { licenses, prices, categories }
}
