import { sql } from 'kysely'
import { refreshProducts } from '#catalog/products/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import type { Checked } from '../checks/state.ts'
import { packIfProtected } from '../packing.commands.ts'
import type { ContentFileState } from '../state.ts'
import { companyOf, findUpload } from './queries.ts'

const LEASE_SECONDS = 20

export type Lease = 'taken' | 'busy' | 'gone'

/**
 * Takes the lease of an upload for a while: a process that dies returns it by doing nothing. The time is that of the
 * database, because the clocks of two machines differ.
 */
export async function takeLease(tx: Tx, uploadId: string, lease: string): Promise<Lease> {
  const { rows } = await sql<Columns<'content_uploads', 'lease'>>`update content_uploads
    set lease = case when leased_until > now() then lease else ${lease} end,
      leased_until = case when leased_until > now() then leased_until
        else now() + make_interval(secs => ${LEASE_SECONDS}) end,
      is_wanted = coalesce(leased_until > now(), false)
    where company_id = ${companyOf(uploadId) ?? 0} and id = ${uploadId} returning lease`.execute(tx)
  const [row] = rows
  if (row === undefined) return 'gone'
  return row.lease === lease ? 'taken' : 'busy'
}

/** Keeps a lease. Returns whether another request waits for it, or undefined if it was lost. */
export async function renewLease(tx: Tx, uploadId: string, lease: string, now: Date): Promise<boolean | undefined> {
  const { rows } = await sql<Columns<'content_uploads', 'is_wanted'>>`update content_uploads
    set leased_until = now() + make_interval(secs => ${LEASE_SECONDS}), touched_at = ${now}
    where company_id = ${companyOf(uploadId) ?? 0} and id = ${uploadId} and lease = ${lease}
    returning is_wanted`.execute(tx)
  return rows[0]?.is_wanted
}

export async function returnLease(tx: Tx, uploadId: string, lease: string, now: Date): Promise<void> {
  await sql`update content_uploads set lease = null, leased_until = null, is_wanted = false, touched_at = ${now}
    where company_id = ${companyOf(uploadId) ?? 0} and id = ${uploadId} and lease = ${lease}`.execute(tx)
}

/** Notes the size of an upload that did not know it before. */
export async function declareSize(tx: Tx, uploadId: string, size: number): Promise<void> {
  await sql`update content_uploads set size = ${size}
    where company_id = ${companyOf(uploadId) ?? 0} and id = ${uploadId}`.execute(tx)
}

/** Ends an upload together with the file that waited for it. */
export async function abandonUpload(tx: Tx, uploadId: string): Promise<void> {
  const upload = await findUpload(tx, uploadId)
  if (upload === undefined) return
  const { company_id, id } = upload.file
  await tx.deleteFrom('content_files').where('company_id', '=', company_id).where('id', '=', id).execute()
}

export type Stored = Checked & { content_type: string; size: number; sha256: string; key: string }

/**
 * Makes a file ready that was stored under a key. Returns the key under which its bytes are: another one if the company
 * has the same bytes already. Undefined if the file is gone meanwhile.
 */
export async function markReady(
  tx: Tx,
  { company_id, id, product_key }: ContentFileState,
  { key, ...stored }: Stored,
  now: Date,
): Promise<string | undefined> {
  const { numUpdatedRows } = await tx
    .updateTable('content_files')
    .set({ ...stored, status: 'ready', refusal: null, ready_at: now, updated_at: now })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .where('status', '=', 'uploading')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return undefined
  const { rows } = await sql<
    Columns<'content_blobs', 'key'>
  >`insert into content_blobs (company_id, sha256, size, key, refs, created_at)
    values (${company_id}, ${stored.sha256}, ${stored.size}, ${key}, 1, ${now})
    on conflict (company_id, sha256) do update set refs = content_blobs.refs + 1 returning key`.execute(tx)
  await endUpload(tx, company_id, id)
  await refreshProducts(tx, company_id, [product_key], now)
  await packIfProtected(tx, company_id, id, now)
  return rows[0]?.key
}

/** Refuses a file, with the reason in words. */
export async function markRefused(
  tx: Tx,
  { company_id, id, product_key }: ContentFileState,
  refusal: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('content_files')
    .set({ status: 'refused', refusal, updated_at: now })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .where('status', '=', 'uploading')
    .execute()
  await endUpload(tx, company_id, id)
  await refreshProducts(tx, company_id, [product_key], now)
}

async function endUpload(tx: Tx, companyId: number, fileId: number): Promise<void> {
  await tx.deleteFrom('content_uploads').where('company_id', '=', companyId).where('file_id', '=', fileId).execute()
}
