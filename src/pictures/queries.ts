import type { Selectable } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Pictures } from '#platform/db/types.gen.ts'

export type StoredPicture = Selectable<Pictures>

export type FailedPicture = Pick<
  StoredPicture,
  'company_id' | 'id' | 'product_key' | 'category_id' | 'source_url' | 'failure' | 'attempts'
>

/** Every read of pictures starts here, so none can forget the company. */
export function picturesOf(db: Db, companyId: number) {
  return db.selectFrom('pictures').where('pictures.company_id', '=', companyId)
}

export function findPicture(db: Db, companyId: number, id: number): Promise<StoredPicture | undefined> {
  return picturesOf(db, companyId).selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * The pictures that could not be fetched, latest first; without a company those of all, which only the operator may
 * see.
 */
export function listFailedPictures(db: Db, companyId: number | undefined, limit: number): Promise<FailedPicture[]> {
  return (
    companyId === undefined ? db.selectFrom('pictures').where('company_id', 'is not', null) : picturesOf(db, companyId)
  )
    .select(['company_id', 'id', 'product_key', 'category_id', 'source_url', 'failure', 'attempts'])
    .where('state', '=', 'failed')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/**
 * Locks the product or category of a picture until the transaction ends, so that two pictures of one owner take turns.
 */
export async function lockPictureOwner(
  tx: Tx,
  companyId: number,
  { product_key, category_id }: StoredPicture,
): Promise<void> {
  const [table, id] =
    product_key === null ? (['categories', category_id] as const) : (['products', product_key] as const)
  await tx.selectFrom(table).select('id').where('company_id', '=', companyId).where('id', '=', id).forUpdate().execute()
}
