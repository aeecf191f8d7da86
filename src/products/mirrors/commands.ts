import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { FOLLOW_ORIGINALS } from './jobs.ts'

const noteMirrored = prepare((tx: Tx, companyId: number, keys: number[], now: Date) =>
  sql<{ is_new: boolean }>`with changed as (
      select distinct original_key from product_mirrors
      where owner_id = ${companyId} and original_key = any(${keys}::bigint[])
    )
    insert into original_changes (company_id, original_key, changed_at)
    select ${companyId}, original_key, ${now}::timestamptz from changed order by original_key
    on conflict (company_id, original_key) do update set changed_at = excluded.changed_at
    returning xmax = 0 as is_new`.compile(tx),
)

/**
 * Notes that products have changed, should others mirror them, and asks for a job that makes the mirrors follow. An
 * original that is noted already is noted once, but held: who works through the notes then waits for this change.
 */
export async function noteChanges(tx: Tx, companyId: number, keys: number[], now: Date): Promise<void> {
  if (keys.length === 0) return
  const noted = await noteMirrored(tx, companyId, keys, now)
  if (noted.some(({ is_new }) => is_new)) await enqueue(tx, { kind: FOLLOW_ORIGINALS, companyId, data: {} }, now)
}

/** noteChanges for everything of the company that others mirror. */
export async function noteAllChanges(tx: Tx, companyId: number, now: Date): Promise<void> {
  const { rows } = await sql<{ original_key: number }>`
    select distinct original_key from product_mirrors where owner_id = ${companyId}`.execute(tx)
  await noteChanges(
    tx,
    companyId,
    rows.map(({ original_key }) => original_key),
    now,
  )
}
