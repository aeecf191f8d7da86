import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { STAMP_FILE } from './jobs.ts'
import { findCopy } from './queries.ts'
import { copyOf, isTriedAgain, isUseNoted, lastKept, type Stamp } from './rules.ts'
import type { StampedCopy, StampedFileState, StampSource } from './state.ts'

/**
 * The copy of a file for a purchase. The first time, the worker is asked to make it, which takes about a second; until then
 * it is pending. The buyer is named in it as at that time. A copy that failed is tried again a day later.
 */
export async function requestCopy(tx: Tx, source: StampSource, stamp: Stamp, now: Date): Promise<StampedCopy> {
  const added = await tx
    .insertInto('stamped_files')
    .values({
      ...source,
      stamp: JSON.stringify(stamp),
      state: 'pending',
      created_at: now,
      updated_at: now,
      used_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added !== undefined) await enqueueCopy(tx, source.company_id, added.id, now)
  const copy = await findCopy(tx, source)
  // Another transaction may delete it between the two statements; the next request makes it anew.
  if (copy === undefined) return { state: 'pending' }
  if (isTriedAgain(copy, now)) return tryAgain(tx, copy, now)
  if (!isUseNoted(copy, now)) await update(tx, copy).set({ used_at: now }).execute()
  return copyOf(copy)
}

function enqueueCopy(tx: Tx, companyId: number, id: number, now: Date): Promise<void> {
  return enqueue(tx, { kind: STAMP_FILE, companyId, data: { id } }, now)
}

async function tryAgain(tx: Tx, copy: StampedFileState, now: Date): Promise<StampedCopy> {
  const { numUpdatedRows } = await update(tx, copy)
    .set({ state: 'pending', reason: null, updated_at: now, used_at: now })
    .where('state', '=', 'failed')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 1n) await enqueueCopy(tx, copy.company_id, copy.id, now)
  return { state: 'pending' }
}

function update(tx: Tx, { company_id, id }: StampedFileState) {
  return tx.updateTable('stamped_files').where('company_id', '=', company_id).where('id', '=', id)
}

/** Records that a copy is made. False if it was deleted meanwhile. */
export async function markReady(
  tx: Tx,
  copy: StampedFileState,
  stored: { key: string; size: number; sha256: string },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, copy)
    .set({ ...stored, state: 'ready', reason: null, updated_at: now })
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Records why a copy cannot be made. */
export async function markFailed(tx: Tx, copy: StampedFileState, reason: string, now: Date): Promise<void> {
  await update(tx, copy).set({ state: 'failed', reason, updated_at: now }).where('state', '=', 'pending').execute()
}

type CopyPlace = Columns<'stamped_files', 'company_id' | 'id'>

/** Deletes a batch of copies that nobody has fetched for long, and returns whose files are to be deleted. */
export async function deleteUnused(tx: Tx, now: Date): Promise<CopyPlace[]> {
  const { rows } = await sql<Columns<'stamped_files', 'company_id' | 'id'>>`delete from stamped_files
    where (company_id, id) in (
      select stamped.company_id, stamped.id from stamped_files as stamped
      where stamped.used_at < ${lastKept(now)} order by stamped.used_at limit 100)
    returning company_id, id`.execute(tx)
  return rows
}

/** How many copies are looked at in one round, and where the first begins. */
const LOOKED_AT = 1000
export const BEFORE_ALL_COPIES: CopyPlace = { company_id: 0, id: 0 }

/**
 * Looks at the copies behind a place, and deletes those whose buyer the company no longer knows. Returns whose files are to be
 * deleted, and where it stopped.
 */
export async function deleteForgotten(
  tx: Tx,
  after: CopyPlace,
): Promise<{ deleted: CopyPlace[]; last: CopyPlace | undefined }> {
  const { rows } = await sql<
    Columns<'stamped_files', 'company_id' | 'id'> & { is_deleted: boolean }
  >`with looked_at as materialized (
      select company_id, id, entitlement_id from stamped_files
      where (company_id, id) > (${after.company_id}::bigint, ${after.id}::bigint)
      order by company_id, id limit ${sql.lit(LOOKED_AT)}
    ), forgotten as materialized (
      select looked_at.company_id, looked_at.id from looked_at join entitlements as entitlement
        on entitlement.company_id = looked_at.company_id and entitlement.id = looked_at.entitlement_id
      where not exists (select from customer_relations as relation
        where relation.company_id = entitlement.company_id and relation.customer_id = entitlement.customer_id)
    ), deleted as (
      delete from stamped_files where (company_id, id) in (select forgotten.company_id, forgotten.id from forgotten)
      returning company_id, id
    )
    select looked_at.company_id, looked_at.id, deleted.id is not null as is_deleted
    from looked_at left join deleted on deleted.company_id = looked_at.company_id and deleted.id = looked_at.id
    order by looked_at.company_id, looked_at.id`.execute(tx)
  return { deleted: rows.filter(({ is_deleted }) => is_deleted), last: rows.at(-1) }
}
