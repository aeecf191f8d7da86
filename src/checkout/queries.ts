import { tokenHash } from '#platform/crypto.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { EMPTY, merged } from './rules.ts'
import type { CartLine, CartState, CheckoutDetails, Contents, Shopper } from './state.ts'

/** Every read of carts starts here, so none can forget the company. */
function cartsOf(db: Db, companyId: number) {
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
    .select([
      'carts.company_id',
      'carts.id',
      'carts.theme_setting_id',
      'carts.customer_id',
      'carts.lines',
      'carts.discount_code',
      'carts.details',
      'carts.created_at',
      'carts.touched_at',
    ])
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
  return (await selectCarts(db, ...keysOf(shopper))).reduce(merged, EMPTY)
}

/** The carts of a shopper, the customer's first, locked until the transaction ends: do this before deciding on a change. */
export function lockCarts(tx: Tx, shopper: Shopper): Promise<CartState[]> {
  return cartsOfShopper(tx, ...keysOf(shopper))
    .forNoKeyUpdate()
    .execute()
}
