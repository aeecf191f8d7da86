import { sql } from 'kysely'
import type { Erased } from '#people/customers/erasure.worker.ts'
import { BATCH_ROWS } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'

/**
 * Takes a customer out of a batch of gifts, and returns how many they were: who gave them and with which words, and those that went to
 * the address of the customer. The codes stay, because they were paid for. What is still to be sent names its giver until it is sent.
 */
export async function forgetGifts(tx: Tx, { companyId, customerId, email }: Erased): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update redemption_gifts set giver = '', message = '',
      email = case when lower(email) = lower(${email}) then '' else email end,
      name = case when lower(email) = lower(${email}) then '' else name end
    where company_id = ${companyId} and ctid = any(array(
      select gift.ctid from redemption_gifts as gift
      where gift.company_id = ${companyId} and (gift.sent_at is not null or gift.called_back_at is not null)
        and (lower(gift.email) = lower(${email}) or (gift.giver <> '' or gift.message <> '') and exists (
          select from redemption_codes as code
          join orders on orders.company_id = ${companyId} and orders.id = code.order_id
          where code.company_id = ${companyId} and code.id = gift.code_id and orders.customer_id = ${customerId}))
      limit ${BATCH_ROWS}))`.execute(tx)
  return Number(numAffectedRows)
}
