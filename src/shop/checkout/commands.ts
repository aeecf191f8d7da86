import { sql } from 'kysely'
import { readForSale } from '#catalog/products/sale/queries.ts'
import { awaitsContent, mayBeShipped } from '#catalog/products/sale/rules.ts'
import { isContent } from '#catalog/products/types.facts.ts'
import type { Tx } from '#platform/db/database.ts'
import { asOneStatement, prepareWrite } from '#platform/db/writes.ts'
import { awaitedLater } from '#platform/errors/awaited-later.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import { isSoldOnce } from '#selling/orders/sale/draft.rules.ts'
import { countBegunCart, settleCarts, takeOutCarts } from './abandoned/commands.ts'
import { cartEmpty } from './errors.ts'
import { lockCarts, readContents } from './queries.ts'
import { contentsOf, EMPTY, NO_DETAILS, NO_PLACE, withLine, withQuantity } from './rules.ts'
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
  if (awaitsContent(product) && !mayBeShipped(product)) return false
  const addsUp = !isContent(product.product_type)
  const added = isSoldOnce(product, line) ? { ...line, quantity: 1 } : line
  await changeCart(tx, shopper, (cart) => ({ ...cart, lines: withLine(cart.lines, added, addsUp) }), now)
  return true
}

/** Changes how many of a line are wanted; 0 removes it. A rental stays one, whatever the form says. */
export async function changeQuantity(
  tx: Tx,
  shopper: Shopper,
  index: number,
  quantity: number,
  now: Date,
): Promise<void> {
  const line = quantity > 1 ? (await readContents(tx, shopper)).lines[index] : undefined
  const products = line && (await readForSale(tx, shopper.companyId, [line.product_id], now))
  const product = line && products?.get(line.product_id)
  const wanted = line !== undefined && product !== undefined && isSoldOnce(product, line) ? 1 : quantity
  await changeCart(tx, shopper, (cart) => ({ ...cart, lines: withQuantity(cart.lines, index, wanted) }), now)
}

/** What became of a cart. `ofBuyer`: the carts that its buyer has in the shop, locked, this one included. */
type Taken<Result> = { placed: string; ofBuyer: Promise<readonly number[]>; result: Result }

/**
 * Turns a cart into something else, such as an order, and empties it. It stays locked meanwhile, so that two presses of a
 * button place one order. `take` may send statements of its own before it waits for the cart, which saves a round trip.
 */
export async function takeCart<Result>(
  tx: Tx,
  shopper: Shopper,
  now: Date,
  take: (cart: Promise<Contents>) => Promise<Taken<Result>>,
): Promise<Result> {
  const locking = lockCarts(tx, shopper)
  // If `take` fails first, that is the error to report.
  const locked = awaitedLater(locking.then((carts) => fullCart(shopper, carts)))
  const { placed, ofBuyer, result } = await take(locked)
  await locked
  const carts = await locking
  const others = (await ofBuyer).filter((id) => carts.every((cart) => cart.id !== id))
  await settleCarts(tx, shopper.companyId, others, now)
  await saveContents(tx, shopper, carts, { ...EMPTY, details: { ...NO_DETAILS, placed } }, now)
  return result
}

function fullCart(shopper: Shopper, carts: readonly CartState[]): Contents {
  const cart = contentsOf(shopper, carts)
  if (cart.lines.length === 0) throw cartEmpty()
  return cart
}

async function saveContents(
  tx: Tx,
  { companyId, shopId, customerId, token, place = NO_PLACE }: Shopper,
  before: CartState[],
  { lines, discount_code, details }: Contents,
  now: Date,
): Promise<boolean> {
  const [kept, ...others] = before
  const counted = before.filter(({ is_counted }) => is_counted).map(({ id }) => id)
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
  const hash = customerId === undefined ? tokenHash(token ?? '') : null
  const texts = { lines: JSON.stringify(lines), details: JSON.stringify(details) }
  if (kept === undefined) {
    const made = await tx
      .insertInto('carts')
      .values({
        company_id: companyId,
        theme_setting_id: shopId,
        token_hash: hash,
        customer_id: customerId ?? null,
        discount_code,
        ...texts,
        ...place,
        created_at: now,
        touched_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (made.numInsertedOrUpdatedRows !== 1n) return false
  } else {
    const who = [hash, customerId ?? null] as const
    const where = [place.country, place.currency, place.language] as const
    await asOneStatement(tx, () => [
      updateCart(tx, companyId, kept.id, ...who, texts.lines, discount_code, texts.details, ...where, now, isBegun),
    ])
  }
  if (isBegun) await countBegunCart(tx, companyId, now)
  return true
}

/** A cart that is filled again is another one, of which its customer may be reminded. */
const updateCart = prepareWrite(
  'update',
  'carts',
  (
    tx: Tx,
    companyId: number,
    id: number,
    hash: Buffer | null,
    customerId: number | null,
    lines: string,
    code: string,
    details: string,
    country: string,
    currency: string,
    language: string,
    now: Date,
    isBegun: boolean,
  ) =>
    sql`update carts set token_hash = ${hash}, customer_id = ${customerId}, lines = ${lines}::jsonb,
      discount_code = ${code}, details = ${details}::jsonb, country = ${country}, currency = ${currency},
      language = ${language}, touched_at = ${now}, checked_at = null,
      reminded_at = case when ${isBegun}::boolean then null else reminded_at end
    where company_id = ${companyId} and id = ${id}`.compile(tx),
)
