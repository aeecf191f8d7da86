import { lockUnused } from '#catalog/pictures/queries.ts'
import type { Picture } from '#catalog/pictures/rules.ts'
import type { Tx } from '#platform/db/database.ts'
import { checkReferences, saveProduct, updateProduct } from '../commands.ts'
import type { ProductState } from '../state.ts'
import { type Part, type Parts, withFormer } from './rules.ts'

/**
 * Gives a product that the caller has locked the former values of some of its parts. Throws if what they name is gone, such as
 * a category.
 */
export async function restoreParts(
  tx: Tx,
  product: ProductState,
  before: Parts,
  names: readonly Part[],
  now: Date,
): Promise<void> {
  const { company_id: companyId, id } = product
  const wanted = withFormer(product, before, names, now)
  if (product.mirrored) {
    await updateProduct(tx, { companyId }, String(id), { published: wanted.published }, now)
    return
  }
  const pictures = await withKept(tx, product, wanted.pictures)
  const after = { ...wanted, pictures }
  await checkReferences(tx, product, after, names.includes('categories') ? { categories: after.categories } : {})
  await saveProduct(tx, product, after, now)
}

/** Pictures that were put aside are taken again. Those that were deleted meanwhile are fetched from where they came from. */
async function withKept(tx: Tx, product: ProductState, wanted: Picture[]): Promise<Picture[]> {
  const shown = new Map(product.pictures.map((picture) => [picture.id, picture]))
  const missing = wanted.filter(({ id }) => !shown.has(id)).map(({ id }) => id)
  const aside = new Map((await lockUnused(tx, product.company_id, missing)).map((picture) => [picture.id, picture]))
  return wanted.flatMap((picture) => {
    const kept = shown.get(picture.id) ?? aside.get(picture.id)
    if (kept !== undefined) return [{ ...kept, position: picture.position }]
    return picture.source_url === '' ? [] : [{ ...picture, state: 'pending', file: null }]
  })
}
