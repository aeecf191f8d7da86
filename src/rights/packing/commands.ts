import type { Tx } from '#platform/db/database.ts'
import { enqueue, retryFailedJobs } from '#platform/jobs/queue.ts'
import { dropContentKey } from '#rights/content-keys/commands.ts'
import type { PackingFault } from './faults.facts.ts'
import { DELETE_PACKED, PACK_PART } from './jobs.ts'
import { findPackedOf, lockPending } from './queries.ts'
import { keySubject, packedFolder } from './rules.ts'
import type { PackedFileState, PackedPart, PackedTrack, PackingSource } from './state.ts'

/** Has stored bytes packed. What is packed already, or failed, stays as it is. */
export async function requestPacking(tx: Tx, source: PackingSource, now: Date): Promise<void> {
  const added = await tx
    .insertInto('packed_files')
    .values({ ...source, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added !== undefined) await enqueueNext(tx, { company_id: source.company_id, id: added.id }, now)
}

/** requestPacking that packs a file again that could not be packed: the reason may have been a machine, or the packer of that time. */
export async function requestPackingAgain(tx: Tx, source: PackingSource, now: Date): Promise<void> {
  const before = await findPackedOf(tx, source)
  // It begins as a new one, because what is left of the old one may be deleted later.
  if (before?.state === 'failed') await dropPacked(tx, source, now)
  await requestPacking(tx, source, now)
}

const HOUR_MS = 3_600_000

/** Goes on with files whose jobs were given up because the disk was full or the object store was away. */
export async function resumePending(tx: Tx, now: Date): Promise<void> {
  await retryFailedJobs(tx, [PACK_PART], new Date(now.getTime() - HOUR_MS), now)
}

type Ref = Pick<PackedFileState, 'company_id' | 'id'>

function enqueueNext(tx: Tx, { company_id, id }: Ref, now: Date): Promise<void> {
  return enqueue(tx, { kind: PACK_PART, companyId: company_id, data: { id } }, now)
}

function update(tx: Tx, { company_id, id }: Ref) {
  return tx.updateTable('packed_files').where('company_id', '=', company_id).where('id', '=', id)
}

/** A part that was made and stored. The first one says what tracks there are. */
export type MadePart = PackedPart & { duration: number; described: PackedTrack[] }

/**
 * Records a part, and goes on with the next. False if it is recorded already, by a worker that was taken for dead, or if the
 * file is gone.
 */
export async function recordPart(tx: Tx, file: Ref, part: MadePart, now: Date): Promise<boolean> {
  const { number, next_seconds, duration, described } = part
  if (!(await lockPending(tx, file))) return false
  const added = await tx
    .insertInto('packed_parts')
    .values({
      company_id: file.company_id,
      packed_id: file.id,
      number,
      next_seconds,
      tracks: JSON.stringify(part.tracks),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('number')
    .executeTakeFirst()
  if (added === undefined) return false
  await update(tx, file)
    .set({
      state: next_seconds === null ? 'ready' : 'pending',
      duration,
      packed_seconds: next_seconds ?? duration,
      updated_at: now,
    })
    .$if(number === 0, (query) => query.set({ tracks: JSON.stringify(described) }))
    .execute()
  if (next_seconds !== null) await enqueueNext(tx, file, now)
  return true
}

/** Goes on with the same part, once more of its source has been fetched. */
export function fetchMore(tx: Tx, file: Ref, now: Date): Promise<void> {
  return enqueueNext(tx, file, now)
}

/** Records why a file cannot be packed. What was packed of it is deleted. */
export async function markFailed(
  tx: Tx,
  file: Ref,
  { fault, codec }: { fault: PackingFault; codec: string | null },
  now: Date,
): Promise<void> {
  await update(tx, file)
    .set({ state: 'failed', fault, codec, updated_at: now })
    .where('state', '=', 'pending')
    .execute()
  await tx
    .deleteFrom('packed_parts')
    .where('company_id', '=', file.company_id)
    .where('packed_id', '=', file.id)
    .execute()
  await deleteFolder(tx, file, now)
}

/** Forgets what was packed from bytes that are deleted. */
export async function dropPacked(
  tx: Tx,
  { company_id, source_key }: Pick<PackingSource, 'company_id' | 'source_key'>,
  now: Date,
): Promise<void> {
  const gone = await tx
    .deleteFrom('packed_files')
    .where('company_id', '=', company_id)
    .where('source_key', '=', source_key)
    .returning('id')
    .executeTakeFirst()
  if (gone === undefined) return
  await dropContentKey(tx, company_id, keySubject(gone.id))
  await deleteFolder(tx, { company_id, id: gone.id }, now)
}

function deleteFolder(tx: Tx, file: Ref, now: Date): Promise<void> {
  return enqueue(tx, { kind: DELETE_PACKED, companyId: file.company_id, data: { folder: packedFolder(file) } }, now)
}
