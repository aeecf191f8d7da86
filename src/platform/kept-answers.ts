import { sql } from 'kysely'
import type { Tx } from './db/database.ts'

/** How long the answer to a request with an Idempotency-Key is kept. */
export const KEPT_HOURS = 24

export async function deleteOldKeys(tx: Tx, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_HOURS * 3_600_000)
  await sql`delete from idempotency_keys where created_at < ${oldest}`.execute(tx)
}

/** Deletes the kept answers of a company that contain a text in any case, such as the address of a customer who is erased. */
export async function deleteAnswersWith(tx: Tx, companyId: number, text: string): Promise<void> {
  await sql`delete from idempotency_keys
    where company_id = ${companyId} and position(lower(${text}) in lower(body)) > 0`.execute(tx)
}
