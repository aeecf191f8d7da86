import type { Db } from '#platform/db/database.ts'
import { picturesFor, titleFor } from '#shop/catalog-pages/cards.present.ts'
import { findSample } from '#shop/catalog-pages/sample.queries.ts'
import { productPath } from '#shop/site/paths.rules.ts'
import type { ShopVisit } from '#shop/site/state.ts'

/** The files of a shop's sample, and what its page shows of the product; undefined if the shop has none. */
export async function findShownSample(db: Db, visit: ShopVisit, now: Date) {
  const sample = await findSample(db, visit.shop, now)
  if (sample === undefined) return undefined
  const { product, files } = sample
  const title = titleFor(product, visit)
  const [picture] = picturesFor(product.pictures, product.locales, visit)
  return { files, product: { title, url: `${visit.base}${productPath(product.id, title)}`, picture } }
}
