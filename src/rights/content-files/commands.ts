import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { refreshProducts } from '#catalog/products/commands.ts'
import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { takeIds } from '#platform/db/ids.ts'
import type { Author } from '#platform/identity/caller.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { dropPacked } from '#rights/packing/commands.ts'
import { DELETE_BYTES } from './jobs.ts'
import { packIfProtected } from './packing.commands.ts'
import { presentFile } from './present.ts'
import { CONTENT_FILES, getFile, getProductKey, isGivenByCode, isSold, lockFile, nextPosition } from './queries.ts'
import { changeFile, isReady, leavesBuyers, newFile } from './rules.ts'
import type { FileChange, FileInput } from './schema.ts'
import type { ContentFileState, ReadyFile, ShownFile } from './state.ts'

/** Creates a file that waits for its bytes. */
export async function createFile(tx: Tx, author: Author, input: FileInput, now: Date): Promise<Written<ShownFile>> {
  const { companyId } = author
  const product_key = await getProductKey(tx, companyId, input.product_id)
  const { takeRowId } = await takeIds(tx, CONTENT_FILES, 1, 0)
  const key = { company_id: companyId, id: takeRowId(), product_key }
  const file = newFile({ ...key, position: await nextPosition(tx, companyId, product_key) }, input, now)
  await tx.insertInto('content_files').values(file).execute()
  await tx
    .insertInto('content_uploads')
    .values({
      company_id: companyId,
      file_id: file.id,
      id: `${companyId}-${randomBytes(16).toString('hex')}`,
      size: input.size ?? null,
      touched_at: now,
    })
    .execute()
  await recordChange(tx, author, 'content file created', file.name, now)
  return written(await getFile(tx, companyId, String(file.id)))
}

/** Changes what is said about a file. Those who bought it before keep it, whatever it becomes. */
export async function updateFile(
  tx: Tx,
  author: Author,
  ref: string,
  input: FileChange,
  now: Date,
): Promise<Written<ShownFile>> {
  const { companyId } = author
  const before = await lockFile(tx, companyId, ref)
  const productKey = input.product_id === undefined ? undefined : await getProductKey(tx, companyId, input.product_id)
  const { product_id: _product, upload_id: _upload, packing: _packing, ...stored } = before
  const after = changeFile(stored, input, productKey, now)
  if (leavesBuyers(before, after)) await keepForBuyers(tx, stored, now)
  await tx
    .updateTable('content_files')
    .set(after)
    .where('company_id', '=', companyId)
    .where('id', '=', after.id)
    .execute()
  await refreshProducts(tx, companyId, [...new Set([before.product_key, after.product_key])], now)
  await packIfProtected(tx, companyId, after.id, now)
  await recordChange(tx, author, 'content file changed', after.name, now)
  return written(await getFile(tx, companyId, String(after.id)))
}

/** Leaves a removed copy of a file behind, for those who bought it. */
async function keepForBuyers(tx: Tx, file: ContentFileState, now: Date): Promise<void> {
  if (!isReady(file) || !(await isSold(tx, file.company_id, file.product_key))) return
  const { takeRowId } = await takeIds(tx, CONTENT_FILES, 1, 0)
  await tx
    .insertInto('content_files')
    .values({ ...file, id: takeRowId(), removed_at: now })
    .execute()
  await sql`update content_blobs set refs = refs + 1
    where company_id = ${file.company_id} and sha256 = ${file.sha256}`.execute(tx)
}

/** Removes a file. Those who bought it before keep it; without any it is deleted for good. */
export async function removeFile(tx: Tx, author: Author, ref: string, now: Date): Promise<void> {
  const { companyId } = author
  const file = await lockFile(tx, companyId, ref)
  const isKept = isReady(file) && (await isSold(tx, companyId, file.product_key))
  if (isKept)
    await tx
      .updateTable('content_files')
      .set({ removed_at: now, updated_at: now })
      .where('company_id', '=', companyId)
      .where('id', '=', file.id)
      .execute()
  else await deleteFile(tx, file, now)
  await refreshProducts(tx, companyId, [file.product_key], now)
  await recordChange(tx, author, 'content file deleted', file.name, now)
}

/** Deletes a file for good, and its bytes if no other file has the same. */
export async function deleteFile(tx: Tx, file: ContentFileState, now: Date): Promise<void> {
  await tx.deleteFrom('content_files').where('company_id', '=', file.company_id).where('id', '=', file.id).execute()
  if (isReady(file)) await releaseBytes(tx, file, now)
}

async function releaseBytes(tx: Tx, { company_id, sha256 }: ReadyFile, now: Date): Promise<void> {
  const { rows: unused } = await sql<Columns<'content_blobs', 'key'>>`delete from content_blobs
    where company_id = ${company_id} and sha256 = ${sha256} and refs = 1 returning key`.execute(tx)
  const [blob] = unused
  if (blob !== undefined) {
    await dropPacked(tx, { company_id, source_key: blob.key }, now)
    return enqueue(tx, { kind: DELETE_BYTES, companyId: company_id, data: { key: blob.key } }, now)
  }
  await sql`update content_blobs set refs = refs - 1
    where company_id = ${company_id} and sha256 = ${sha256}`.execute(tx)
}

function written(file: ShownFile): Written<ShownFile> {
  return { state: file, document: asciiJson(presentFile(file)) }
}

/** How many files one round looks at. */
const LOOKED_AT = 1000

type FilePlace = Columns<'content_files', 'company_id' | 'id'>
export const BEFORE_ALL_FILES: FilePlace = { company_id: 0, id: 0 }

/**
 * Looks at the files behind a place, and deletes for good those that were removed, or whose product was deleted, and that nobody
 * has bought. What was bought stays, also for those whose entitlement was revoked: it can be restored. Returns where it stopped.
 */
export async function deleteUnneeded(
  tx: Tx,
  now: Date,
  after: FilePlace,
  only?: number,
): Promise<FilePlace | undefined> {
  const { rows } = await sql<ContentFileState & { is_unneeded: boolean }>`with looked_at as materialized (
      select * from content_files where (company_id, id) > (${after.company_id}::bigint, ${after.id}::bigint)
        ${only === undefined ? sql`` : sql`and company_id = ${only}`}
      order by company_id, id limit ${sql.lit(LOOKED_AT)} for update skip locked
    )
    select file.*, (file.removed_at is not null or not exists (select from products as product
          where product.company_id = file.company_id and product.id = file.product_key))
        and not exists (select from entitlements as entitlement
          where entitlement.content_company_id = file.company_id and entitlement.content_key = file.product_key)
        and not ${isGivenByCode(sql`file.company_id`, sql`file.product_key`)} as is_unneeded
    from looked_at as file order by file.company_id, file.id`.execute(tx)
  for (const { is_unneeded, ...file } of rows) if (is_unneeded) await deleteFile(tx, file, now)
  return rows.at(-1)
}

/** deleteUnneeded for all files of one company. */
export async function deleteUnneededOf(tx: Tx, companyId: number, now: Date): Promise<void> {
  let place: FilePlace | undefined = BEFORE_ALL_FILES
  while (place !== undefined) place = await deleteUnneeded(tx, now, place, companyId)
}
