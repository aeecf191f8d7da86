import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import type { ZipDirectory } from '#platform/zip/writer.ts'
import { newContentKey } from './content-keys.secrets.ts'
import { PROTECT_PUBLICATION } from './jobs.ts'
import { findBySource } from './queries.ts'
import { isTriedAgain } from './rules.ts'
import { sourceOf } from './sources.secrets.ts'
import type { PublicationSource, PublicationState } from './state.ts'

/** What is encrypted of some files. The first time, the worker is asked to do it; until then it is pending. */
export async function requestPublication(
  tx: Tx,
  vault: Vault,
  { company_id, kind, title, parts }: PublicationSource,
  now: Date,
): Promise<PublicationState> {
  const source = sourceOf({ company_id, kind, title, parts })
  const known = await findBySource(tx, company_id, source)
  if (known !== undefined) return isTriedAgain(known, now) ? tryAgain(tx, known, now) : known
  const added = await tx
    .insertInto('protected_publications')
    .values({
      company_id,
      kind,
      source,
      title,
      parts: JSON.stringify(parts),
      content_key: newContentKey(vault),
      state: 'pending',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added !== undefined) await enqueueProtection(tx, company_id, added.id, now)
  const publication = await findBySource(tx, company_id, source)
  if (publication === undefined) throw new Error('a publication was deleted while it was asked for')
  return publication
}

function enqueueProtection(tx: Tx, companyId: number, id: number, now: Date): Promise<void> {
  return enqueue(tx, { kind: PROTECT_PUBLICATION, companyId, data: { id } }, now)
}

async function tryAgain(tx: Tx, publication: PublicationState, now: Date): Promise<PublicationState> {
  const { numUpdatedRows } = await update(tx, publication)
    .set({ state: 'pending', reason: null, updated_at: now })
    .where('state', '=', 'failed')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 1n) await enqueueProtection(tx, publication.company_id, publication.id, now)
  return { ...publication, state: 'pending', reason: null, updated_at: now }
}

function update(tx: Tx, { company_id, id }: PublicationState) {
  return tx.updateTable('protected_publications').where('company_id', '=', company_id).where('id', '=', id)
}

/** Records that a publication is encrypted. False if it was deleted meanwhile, or another worker was faster. */
export async function markReady(
  tx: Tx,
  publication: PublicationState,
  { directory, ...stored }: { key: string; size: number; sha256: string; directory: ZipDirectory },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, publication)
    .set({ ...stored, directory: JSON.stringify(directory), state: 'ready', reason: null, updated_at: now })
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Records why a publication cannot be encrypted. */
export async function markFailed(tx: Tx, publication: PublicationState, reason: string, now: Date): Promise<void> {
  await update(tx, publication)
    .set({ state: 'failed', reason, updated_at: now })
    .where('state', '=', 'pending')
    .execute()
}

const LOOKED_AT = 1000

type PublicationPlace = Pick<PublicationState, 'company_id' | 'id'>
export const BEFORE_ALL_PUBLICATIONS: PublicationPlace = { company_id: 0, id: 0 }

/**
 * Looks at the publications behind a place, of all companies or of one, and deletes those whose files are gone. Returns whose
 * encrypted files are to be deleted, and where it stopped.
 */
export async function deleteOrphans(
  tx: Tx,
  companyId: number | null,
  after: PublicationPlace,
): Promise<{ deleted: PublicationPlace[]; last: PublicationPlace | undefined }> {
  const { rows } = await sql<
    Columns<'protected_publications', 'company_id' | 'id'> & { is_deleted: boolean }
  >`with looked_at as materialized (
      select company_id, id, parts from protected_publications
      where (company_id, id) > (${after.company_id}::bigint, ${after.id}::bigint)
        ${companyId === null ? sql`` : sql`and company_id = ${companyId}`}
      order by company_id, id limit ${sql.lit(LOOKED_AT)}
    ), orphaned as materialized (
      select looked_at.company_id, looked_at.id from looked_at
      where not exists (select from content_blobs as blob where blob.company_id = looked_at.company_id
        and blob.sha256 = looked_at.parts #>> '{0,sha256}')
    ), deleted as (
      delete from protected_publications where (company_id, id) in (select orphaned.company_id, orphaned.id from orphaned)
      returning company_id, id
    )
    select looked_at.company_id, looked_at.id, deleted.id is not null as is_deleted
    from looked_at left join deleted on deleted.company_id = looked_at.company_id and deleted.id = looked_at.id
    order by looked_at.company_id, looked_at.id`.execute(tx)
  return { deleted: rows.filter(({ is_deleted }) => is_deleted), last: rows.at(-1) }
}
