import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { requestPacking, requestPackingAgain } from '#rights/packing/commands.ts'
import { isPackable } from '#rights/packing/rules.ts'

/**
 * Has the film or recording of a protected product packed, so that it can be played without giving the file away. One that could not
 * be packed before is tried again.
 */
export async function packIfProtected(tx: Tx, companyId: number, fileId: number, now: Date): Promise<void> {
  const { rows } = await sql<
    Columns<'content_files', 'company_id' | 'id' | 'role' | 'content_type'> & Columns<'content_blobs', 'key' | 'size'>
  >`select file.company_id, file.id, file.role, file.content_type, blob.key, blob.size
    from content_files as file
    join products as product on product.company_id = file.company_id and product.id = file.product_key
    join content_blobs as blob on blob.company_id = file.company_id and blob.sha256 = file.sha256
    where file.company_id = ${companyId} and file.id = ${fileId} and file.status = 'ready'
      and product.drm_protected`.execute(tx)
  for (const { company_id, key, size, ...file } of rows)
    if (isPackable(file)) await requestPackingAgain(tx, { company_id, source_key: key, size }, now)
}

/** How many files one round looks at. */
const LOOKED_AT = 1000

/** Has files packed that were uploaded before there was protected playback, or whose product became known later. */
export async function packMissing(db: Db, now: Date): Promise<void> {
  for (let after = { company_id: 0, id: 0 }; ; ) {
    const { rows } = await sql<
      Columns<'content_files', 'company_id' | 'id' | 'role' | 'content_type'> &
        Columns<'content_blobs', 'key' | 'size'> & { is_missing: boolean }
    >`with looked_at as materialized (
        select company_id, id, role, content_type, product_key, sha256, status from content_files
        where (company_id, id) > (${after.company_id}::bigint, ${after.id}::bigint)
        order by company_id, id limit ${sql.lit(LOOKED_AT)}
      )
      select file.company_id, file.id, file.role, file.content_type, blob.key, blob.size,
        coalesce(file.status = 'ready' and product.drm_protected and blob.key is not null
          and not exists (select from packed_files as packed
            where packed.company_id = blob.company_id and packed.source_key = blob.key), false) as is_missing
      from looked_at as file
      left join products as product on product.company_id = file.company_id and product.id = file.product_key
      left join content_blobs as blob on blob.company_id = file.company_id and blob.sha256 = file.sha256
      order by file.company_id, file.id`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    const missing = rows.filter(({ is_missing }) => is_missing)
    if (missing.length > 0)
      await inTransaction(db, async (tx) => {
        for (const { company_id, key, size, ...file } of missing)
          if (isPackable(file)) await requestPacking(tx, { company_id, source_key: key, size }, now)
      })
    after = last
  }
}
