import { sql } from 'kysely'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
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

/** Says that products have changed: to the shops that show them, and to other companies that mirror them. */
export async function noteChanges(tx: Tx, companyId: number, keys: number[], now: Date): Promise<void> {
  if (keys.length === 0) return
  shopChanged(tx, companyId)
  await updateMirrors(tx, companyId, keys, now)
}

/**
 * Records that products have changed if other companies mirror them, and enqueues a job that updates the mirrors. An
 * original that is recorded already is locked again, so that the job waits for this change.
 */
export async function updateMirrors(tx: Tx, companyId: number, keys: number[], now: Date): Promise<void> {
  const noted = await noteMirrored(tx, companyId, keys, now)
  if (noted.some(({ is_new }) => is_new)) await enqueue(tx, { kind: FOLLOW_ORIGINALS, companyId, data: {} }, now)
}

/** noteChanges for all products of the company that others mirror. */
export async function noteAllChanges(tx: Tx, companyId: number, now: Date): Promise<void> {
  const { rows } = await sql<Columns<'product_mirrors', 'original_key'>>`
    select distinct original_key from product_mirrors where owner_id = ${companyId}`.execute(tx)
  await noteChanges(
    tx,
    companyId,
    rows.map(({ original_key }) => original_key),
    now,
  )
}
