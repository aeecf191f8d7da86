import { isContent } from '#entitlements/rules.ts'
import { tokenHash } from '#platform/crypto.ts'
import type { Tx } from '#platform/db/database.ts'
import { readForSale } from '#products/sale/queries.ts'
import { countBegunCart, takeOutCarts, takeOutCartsOfBuyer } from './abandoned/commands.ts'
import { cartEmpty } from './errors.ts'
import { lockCarts } from './queries.ts'
import { contentsOf, EMPTY, NO_DETAILS, NO_PLACE, withLine } from './rules.ts'
import type { CartLine, CartState, Contents, Shopper } from './state.ts'

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
  const after = change(contentsOf(shopper, carts))
  const isSaved = await saveContents(tx, shopper, carts, after, now)
  // Another request has just made the first cart of the customer, and its lines count too.
  return isSaved ? after : changeCart(tx, shopper, change, now)
}

/** Adds an offer to a cart. False: it cannot be bought, and the cart is as it was. */
export async function addToCart(tx: Tx, shopper: Shopper, line: CartLine, now: Date): Promise<boolean> {
  const products = await readForSale(tx, shopper.companyId, [line.product_id], now)
  const product = products.get(line.product_id)
  if (product === undefined || product.not_for_sale !== null) return false
  const addsUp = !isContent(product.product_type)
  await changeCart(tx, shopper, (cart) => ({ ...cart, lines: withLine(cart.lines, line, addsUp) }), now)
  return true
}

/**
 * Turns a cart into something else, such as an order, and empties it. It stays locked meanwhile, so that two presses of a
 * button place one order.
 */
export async function takeCart<Result>(
  tx: Tx,
  shopper: Shopper,
  now: Date,
  take: (cart: Contents) => Promise<{ placed: string; buyer: { customerId: number; email: string }; result: Result }>,
): Promise<Result> {
  const carts = await lockCarts(tx, shopper)
  const cart = contentsOf(shopper, carts)
  if (cart.lines.length === 0) throw cartEmpty()
  const { placed, buyer, result } = await take(cart)
  const { companyId, shopId } = shopper
  await takeOutCartsOfBuyer(tx, { companyId, shopId, ...buyer }, now)
  await saveContents(tx, shopper, carts, { ...EMPTY, details: { ...NO_DETAILS, placed } }, now)
  return result
}

async function saveContents(
  tx: Tx,
  { companyId, shopId, customerId, token, place = NO_PLACE }: Shopper,
  before: CartState[],
  { lines, discount_code, details }: Contents,
  now: Date,
): Promise<boolean> {
  const [kept, ...others] = before
  const counted = before.filter(({ checked_at }) => checked_at !== null).map(({ id }) => id)
  if (counted.length > 0) await takeOutCarts(tx, companyId, counted)
  const isBegun = lines.length > 0 && before.every((cart) => cart.lines.length === 0)
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
  const contents = {
    lines: JSON.stringify(lines),
    discount_code,
    details: JSON.stringify(details),
    ...place,
    touched_at: now,
    checked_at: null,
    // A cart that is filled anew is another one, of which its customer may be reminded.
    ...(isBegun ? { reminded_at: null } : {}),
  }
  if (kept === undefined) {
    const row = { company_id: companyId, theme_setting_id: shopId, ...owner, ...contents, created_at: now }
    const made = await tx
      .insertInto('carts')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (made.numInsertedOrUpdatedRows !== 1n) return false
    if (isBegun) await countBegunCart(tx, companyId, now)
    return true
  }
  await tx
    .updateTable('carts')
    .set({ ...contents, token_hash: null, customer_id: null, ...owner })
    .where('company_id', '=', companyId)
    .where('id', '=', kept.id)
    .execute()
  if (isBegun) await countBegunCart(tx, companyId, now)
  return true
}
