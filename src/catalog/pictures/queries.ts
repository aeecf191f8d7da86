import type { Selectable } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition } from '#platform/db/expressions.ts'
import type { Pictures } from '#platform/db/types.gen.ts'
import { type Cover, handOutUploads, ownPictureId, type Picture, type TakeUpload } from './rules.ts'

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

/** The first pictures of products, by the keys of the products. A wide one can lead a page or a mail. */
export async function readCovers(
  db: Db,
  companyId: number,
  keys: readonly number[],
): Promise<Map<number, Cover & { is_wide: boolean }>> {
  if (keys.length === 0) return new Map()
  const rows = await picturesOf(db, companyId)
    .select([
      'id',
      'product_key',
      'file',
      condition`coalesce(width > 1.3 * height and width >= 640, false)`.as('is_wide'),
    ])
    .distinctOn('product_key')
    .where('product_key', 'in', keys)
    .where('state', '=', 'stored')
    .where('position', 'is not', null)
    .orderBy('product_key')
    .orderBy('position')
    .orderBy('id')
    .execute()
  return new Map(
    rows.flatMap(({ id, product_key, file, is_wide }) =>
      product_key === null || file === null
        ? []
        : [[product_key, { company_id: companyId, id, file, is_wide }] as const],
    ),
  )
}

/** The icon of a shop, stored or not; an empty list if it has none. */
export function readShopIcons(db: Db, companyId: number, themeSettingId: number): Promise<Picture[]> {
  return picturesOf(db, companyId)
    .select(['id', 'source_url', 'state', 'file', 'position'])
    .where('theme_setting_id', '=', themeSettingId)
    .execute()
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
 * Locks the product, category or shop of a picture until the transaction ends, so that two pictures of one owner take turns.
 */
export async function lockPictureOwner(
  tx: Tx,
  companyId: number,
  { product_key, category_id, theme_setting_id }: StoredPicture,
): Promise<void> {
  const [table, id] =
    product_key !== null
      ? (['products', product_key] as const)
      : theme_setting_id === null
        ? (['categories', category_id] as const)
        : (['theme_settings', theme_setting_id] as const)
  await tx.selectFrom(table).select('id').where('company_id', '=', companyId).where('id', '=', id).forUpdate().execute()
}

/**
 * The uploads that a body names by their addresses, locked until the transaction ends: each can be taken once. Most bodies
 * name none, and then nothing is read.
 */
export async function lockUploads(
  tx: Tx,
  companyId: number,
  addresses: readonly (string | null | undefined)[],
): Promise<TakeUpload> {
  const ids = addresses.flatMap((src) => (src && ownPictureId(companyId, src)) || [])
  return ids.length === 0 ? () => undefined : handOutUploads(companyId, await lockUnused(tx, companyId, ids))
}

/** Those of some pictures that nothing uses, locked until the transaction ends. */
export async function lockUnused(tx: Tx, companyId: number, ids: readonly number[]): Promise<Picture[]> {
  if (ids.length === 0) return []
  return picturesOf(tx, companyId)
    .select(['id', 'source_url', 'state', 'file', 'position'])
    .where('id', 'in', ids)
    .where('product_key', 'is', null)
    .where('category_id', 'is', null)
    .where('theme_setting_id', 'is', null)
    .where('state', '=', 'stored')
    .orderBy('id')
    .forUpdate()
    .execute()
}
