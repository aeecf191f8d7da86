import { sql } from 'kysely'
import type { Erased } from '#people/customers/erasure.worker.ts'
import { BATCH_ROWS } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'

/**
 * Deletes a batch of the carts of guests who had typed the address of a customer, or a gift to it, and returns how many they were. Carts
 * of the customer's own go with the relation.
 */
export async function forgetCarts(tx: Tx, { companyId, email }: Erased): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from carts where company_id = ${companyId} and ctid = any(array(
      select ctid from carts where company_id = ${companyId}
        and lower(${email}) in (lower(details ->> 'email'), lower(details ->> 'gift_email'))
      limit ${BATCH_ROWS} for update skip locked))`.execute(tx)
  return Number(numAffectedRows)
}
