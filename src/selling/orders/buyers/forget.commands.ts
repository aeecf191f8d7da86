import { sql } from 'kysely'
import type { Erased } from '#people/customers/erasure.worker.ts'
import type { Tx } from '#platform/db/database.ts'
import { condition } from '#platform/db/expressions.ts'
import { deleteMailsAbout } from '#platform/mail/store.ts'
import { rewriteFulfillments } from '../fulfillments/commands.ts'
import { lockOrders, ordersOf } from '../queries.ts'
import { saveOrder } from '../rows.commands.ts'
import { orderName, withoutTraces } from '../rules.ts'

const BATCH = 100

/**
 * Takes out of a batch of a customer's orders what no invoice and no book needs: where the order came from and with which device, phone
 * numbers, what the company wrote down about the customer or the order, and why something was given back. Mails about them are deleted.
 */
export async function forgetBuyer(tx: Tx, { companyId, token }: Erased): Promise<number> {
  const found = await ordersOf(tx, companyId)
    .select('orders.id')
    // By their tokens, which have an index and never change.
    .where('orders.customer_token', '=', token)
    .where(condition`orders.visit ->> 'is_forgotten' is null`)
    .orderBy('orders.id')
    .limit(BATCH)
    .execute()
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return 0
  const orders = (await lockOrders(tx, companyId, ids)).map(withoutTraces)
  for (const order of orders) await saveOrder(tx, order)
  await rewriteFulfillments(tx, companyId, orders)
  await sql`delete from order_notes where company_id = ${companyId} and order_id = any(${ids}::bigint[])`.execute(tx)
  await sql`update withdrawals set email = '', reason = ''
    where company_id = ${companyId} and order_id = any(${ids}::bigint[])`.execute(tx)
  await deleteMailsAbout(tx, companyId, ids.map(orderName))
  return ids.length
}
