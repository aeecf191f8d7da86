import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'

/** Deletes what was typed at a company for an account with an address, whether or not the link in the mail was followed. */
export async function deleteSignUpsOf(tx: Tx, companyId: number, email: string): Promise<void> {
  await sql`delete from customer_sign_ups where company_id = ${companyId} and lower(email) = lower(${email})`.execute(
    tx,
  )
}
