import type { Db, Tx } from '#platform/db/database.ts'
import { condition } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import { findOrderByPath } from '#selling/orders/queries.ts'
import { orderPath } from '#selling/orders/rules.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { readPaymentsOfOrder } from '#selling/payments/queries.ts'
import type { PaymentState } from '#selling/payments/state.ts'
import { contentsOf, EMPTY } from './rules.ts'
import type { CartLine, CartState, CheckoutDetails, Contents, Shopper } from './state.ts'

/** Every read of carts starts here, so none can forget the company. */
export function cartsOf(db: Db, companyId: number) {
  return db.selectFrom('carts').where('carts.company_id', '=', companyId)
}

type Stored = { lines: CartLine[]; details: CheckoutDetails }

/** What a shopper is found by; no customer has the id 0, and no token an empty hash. */
function keysOf({ companyId, shopId, customerId = 0, token }: Shopper) {
  return [companyId, shopId, customerId, token === undefined ? Buffer.alloc(0) : tokenHash(token)] as const
}

/** The cart of the customer, and the one that this browser filled before the customer signed in. */
function cartsOfShopper(db: Db, companyId: number, shopId: number, customerId: number, hash: Buffer) {
  return cartsOf(db, companyId)
    .select(['carts.id', 'carts.customer_id', 'carts.lines', 'carts.discount_code', 'carts.details'])
    .select(condition`carts.checked_at is not null`.as('is_counted'))
    .where('carts.theme_setting_id', '=', shopId)
    .where((where) => where.or([where('carts.customer_id', '=', customerId), where('carts.token_hash', '=', hash)]))
    .orderBy('carts.customer_id')
    .$narrowType<Stored>()
}

const selectCarts = prepare((db: Db, companyId: number, shopId: number, customerId: number, hash: Buffer) =>
  cartsOfShopper(db, companyId, shopId, customerId, hash).compile(),
)

/** What is in the cart of a shopper, of both carts if a customer has signed in with a full one. */
export async function readContents(db: Db, shopper: Shopper): Promise<Contents> {
  if (shopper.customerId === undefined && shopper.token === undefined) return EMPTY
  return contentsOf(shopper, await selectCarts(db, ...keysOf(shopper)))
}

/** The carts of a shopper, the customer's first, locked until the transaction ends: do this before deciding on a change. */
export function lockCarts(tx: Tx, shopper: Shopper): Promise<CartState[]> {
  return selectAndLock(tx, ...keysOf(shopper))
}

const selectAndLock = prepare((tx: Tx, companyId: number, shopId: number, customerId: number, hash: Buffer) =>
  cartsOfShopper(tx, companyId, shopId, customerId, hash).forNoKeyUpdate().compile(),
)

/** The id of the cart of a shopper; undefined if there is none. */
export async function findCartId(db: Db, shopper: Shopper): Promise<number | undefined> {
  if (shopper.customerId === undefined && shopper.token === undefined) return undefined
  const [cart] = await selectCarts(db, ...keysOf(shopper))
  return cart?.id
}

/** What is in a cart of a shop, by its id, locked until the transaction ends; undefined if it is gone. */
export async function lockCart(tx: Tx, companyId: number, shopId: number, id: number): Promise<Contents | undefined> {
  return cartsOf(tx, companyId)
    .select(['carts.lines', 'carts.discount_code', 'carts.details'])
    .$narrowType<Stored>()
    .where('carts.theme_setting_id', '=', shopId)
    .where('carts.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** An order of a shop with its latest payment, by the secret address of its page; undefined if there is none. */
export async function findPlacedOrder(
  db: Db,
  companyId: number,
  shopId: number,
  ref: string,
): Promise<{ order: OrderState; payment: PaymentState | undefined; path: string } | undefined> {
  const order = await findOrderByPath(db, companyId, shopId, ref)
  if (order === undefined) return undefined
  const payments = await readPaymentsOfOrder(db, companyId, order.id)
  return { order, payment: payments.at(-1), path: orderPath(order) }
}
