import { productsOf } from '#catalog/products/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { Title } from '#rights/content-files/media.rules.ts'
import type { Grant } from '#rights/content-files/state.ts'
import { findPackedOf } from '#rights/packing/queries.ts'
import { type Way, wayOf } from './rules.ts'

const protection = prepare((db: Db, companyId: number, id: number) =>
  productsOf(db, companyId).select('products.drm_protected').where('products.id', '=', id).compile(),
)

/** How a title is played by those who own it. */
export async function readWay(db: Db, { entitlement }: Grant, { versions }: Title): Promise<Way> {
  const [first] = versions
  if (first === undefined) return { kind: 'file' }
  const { company_id, product_key } = first.file
  const [[product], onDisk] = await Promise.all([
    protection(db, company_id, product_key),
    Promise.all(
      versions.map(async ({ file, quality }) => ({
        file,
        quality,
        packed: await findPackedOf(db, { company_id: file.company_id, source_key: file.key }),
      })),
    ),
  ])
  // Of a product that was deleted, what was packed says that it was protected.
  const isProtected = product?.drm_protected ?? onDisk.some(({ packed }) => packed !== undefined)
  return wayOf(entitlement.terms, isProtected, onDisk)
}
