import type { Shop } from '#catalog/theme-settings/state.ts'
import type { Db } from '#platform/db/database.ts'
import { readSampleFiles } from '#rights/content-files/delivery/queries.ts'
import type { FileOfPurchase } from '#rights/content-files/state.ts'
import { findProduct } from './queries.ts'
import type { ProductRow } from './state.ts'

type SampleShop = Pick<Shop, 'company_id' | 'theme_id' | 'sample_product_id'>

/** The sample of a shop with its files; undefined unless it appears in the shop, costs nothing and has files. */
export async function findSample(
  db: Db,
  { company_id: companyId, theme_id: themeId, sample_product_id: id }: SampleShop,
  now: Date,
): Promise<{ product: ProductRow; files: FileOfPurchase[] } | undefined> {
  if (id === null) return undefined
  const [product, files] = await Promise.all([
    findProduct(db, { companyId, themeId, id, productId: '' }, now),
    readSampleFiles(db, companyId, id),
  ])
  return product === undefined || files.length === 0 ? undefined : { product, files }
}
