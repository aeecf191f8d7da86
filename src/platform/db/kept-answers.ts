import { sql } from 'kysely'
import { deleteBatch } from './batches.ts'
import type { Tx } from './database.ts'

/** How long the answer to a request with an Idempotency-Key is kept. */
export const KEPT_HOURS = 24

/** Deletes a batch of answers that are not kept any longer, and returns how many. */
export function deleteOldKeys(tx: Tx, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - KEPT_HOURS * 3_600_000)
  return deleteBatch(tx, 'idempotency_keys', sql`created_at < ${oldest}`)
}

/** Deletes the kept answers of a company that contain a text in any case, such as the address of a customer who is erased. */
export async function deleteAnswersWith(tx: Tx, companyId: number, text: string): Promise<void> {
  await sql`delete from idempotency_keys
    where company_id = ${companyId} and position(lower(${text}) in lower(body)) > 0`.execute(tx)
}
