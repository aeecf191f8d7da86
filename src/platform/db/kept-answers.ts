import { sql } from 'kysely'
import { deleteBatch } from './batches.ts'
import type { Tx } from './database.ts'
import type { Columns } from './expressions.ts'

/** How long the answer to a request with an Idempotency-Key is kept. */
export const KEPT_HOURS = 24

/** Deletes a batch of answers that are not kept any longer, and returns how many. */
export function deleteOldKeys(tx: Tx, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - KEPT_HOURS * 3_600_000)
  return deleteBatch(tx, 'idempotency_keys', 'created_at', sql`created_at < ${oldest}`)
}

/** Answers that are searched at once. Each may be a long text. */
const SEARCHED_ROWS = 1000

/** The place of an answer among those of a company. */
export type AnswerPlace = { app_id: number; key: string }

export const BEFORE_ALL_ANSWERS: AnswerPlace = { app_id: -1, key: '' }

/**
 * Goes through the next kept answers of a company, and deletes those that contain one of the texts in any case, such as the
 * address of a customer who is erased, unless they were made later. Returns where it stopped.
 */
export async function deleteAnswersWith(
  tx: Tx,
  companyId: number,
  texts: readonly string[],
  madeUntil: Date,
  after: AnswerPlace,
): Promise<AnswerPlace | undefined> {
  const { rows } = await sql<Columns<'idempotency_keys', 'app_id' | 'key'>>`with searched as materialized (
      select ctid, app_id, key, created_at <= ${madeUntil} and exists (select from unnest(${texts}::text[]) as text
        where position(lower(text) in lower(body)) > 0) as is_found
      from idempotency_keys where company_id = ${companyId} and (app_id, key) > (${after.app_id}::bigint, ${after.key})
      order by app_id, key limit ${SEARCHED_ROWS}
    ), deleted as (
      delete from idempotency_keys where company_id = ${companyId}
        and ctid = any(array(select searched.ctid from searched where is_found))
    )
    select app_id, key from searched order by app_id desc, key desc limit 1`.execute(tx)
  return rows[0]
}
