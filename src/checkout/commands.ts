import { tokenHash } from '#platform/crypto.ts'
import type { Tx } from '#platform/db/database.ts'
import { lockCarts } from './queries.ts'
import { EMPTY, merged } from './rules.ts'
import type { CartState, Contents, Shopper } from './state.ts'

/**
 * Changes what is in the cart of a shopper. The cart that a customer filled as a guest becomes part of the customer's own
 * with the first change.
 */
export async function changeCart(
  tx: Tx,
  shopper: Shopper,
  change: (before: Contents) => Contents,
  now: Date,
): Promise<Contents> {
  const carts = await lockCarts(tx, shopper)
  const after = change(carts.reduce(merged, EMPTY))
  const isSaved = await saveContents(tx, shopper, carts, after, now)
  // Another request has just made the first cart of the customer, and its lines count too.
  return isSaved ? after : changeCart(tx, shopper, change, now)
}

async function saveContents(
  tx: Tx,
  { companyId, shopId, customerId, token }: Shopper,
  [kept, ...others]: CartState[],
  { lines, discount_code, details }: Contents,
  now: Date,
): Promise<boolean> {
  if (others.length > 0)
    await tx
      .deleteFrom('carts')
      .where('company_id', '=', companyId)
      .where(
        'id',
        'in',
        others.map(({ id }) => id),
      )
      .execute()
  const owner = customerId === undefined ? { token_hash: tokenHash(token ?? '') } : { customer_id: customerId }
  const contents = { lines: JSON.stringify(lines), discount_code, details: JSON.stringify(details), touched_at: now }
  if (kept === undefined) {
    const row = { company_id: companyId, theme_setting_id: shopId, ...owner, ...contents, created_at: now }
    const made = await tx
      .insertInto('carts')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return made.numInsertedOrUpdatedRows === 1n
  }
  await tx
    .updateTable('carts')
    .set({ ...contents, token_hash: null, customer_id: null, ...owner })
    .where('company_id', '=', companyId)
    .where('id', '=', kept.id)
    .execute()
  return true
}
