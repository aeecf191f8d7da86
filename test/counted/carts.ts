import fc from 'fast-check'
import { inTransaction } from '#platform/db/transaction.ts'
import { lockCartsOfBuyer } from '#shop/checkout/abandoned/queries.ts'
import { changeCart, takeCart } from '#shop/checkout/commands.ts'
import { NO_DETAILS } from '#shop/checkout/rules.ts'
import type { Shopper } from '#shop/checkout/state.ts'
import { A_LINE, type OpenShop } from '../checkout.ts'
import { aCustomer } from '../customers.ts'
import type { Wire } from '../factories.ts'
import type { Service } from '../harness.ts'
import type { Calendar } from './calendar.ts'

/** Two guests of one address, another guest and a customer, as numbers 0 to 3. */
const who = fc.nat({ max: 3 })

export const cartStep = fc.oneof(
  fc.record({ kind: fc.constant('fill' as const), who, product: fc.nat({ max: 1 }) }),
  fc.record({ kind: fc.constant('empty' as const), who }),
  fc.record({ kind: fc.constant('buy' as const), who }),
  fc.record({ kind: fc.constant('sign in' as const), who: fc.nat({ max: 2 }) }),
)

export type CartStep = typeof cartStep extends fc.Arbitrary<infer Step> ? Step : never
export type PricedProduct = { product: Wire; cents: number }

/** A cart as the test remembers it: what is in it, and what was done with it last. */
type Known = {
  products: Set<number>
  touchedAt: number
  isSettled: boolean
  counted: { day: string; cents: number } | undefined
}
type Owner = { shopper: Shopper; email: string }
export type CartCounts = { carts: number; order_count: number; order_amount: number }

const ABANDONED_MS = 86_400_000

/** The carts of a shop, and a count of them from scratch. */
export async function rememberCarts(service: Service, open: OpenShop, sold: PricedProduct[], { now, day }: Calendar) {
  const { guests, customer } = await ownersIn(open)
  const owners = [...guests, customer]
  const carts = new Map<Owner, Known>()
  const begun: string[] = []
  const nobody = new Set<number>()

  const change = ({ shopper, email }: Owner, ids: Iterable<number>) => {
    const lines = [...ids].map((index) => ({ ...A_LINE, product_id: sold[index]?.product.product_id }))
    const details = { ...NO_DETAILS, email, country: 'DE' }
    return inTransaction(service.db, (tx) => changeCart(tx, shopper, (cart) => ({ ...cart, lines, details }), now()))
  }
  const buy = ({ shopper, email }: Owner) =>
    inTransaction(service.db, (tx) =>
      takeCart(tx, shopper, now(), async () => {
        const ofBuyer = lockCartsOfBuyer(tx, shopper, email)
        return { placed: 'x', ofBuyer, result: undefined }
      }),
    )
  const remember = (owner: Owner, hadProducts: boolean, products: Set<number>) => {
    if (!hadProducts && products.size > 0) begun.push(day())
    carts.set(owner, { products, touchedAt: now().getTime(), isSettled: false, counted: undefined })
  }
  const worth = ({ products }: Known) => [...products].reduce((sum, index) => sum + (sold[index]?.cents ?? 0), 0)
  const isLeft = ({ products, isSettled, counted, touchedAt }: Known) =>
    products.size > 0 && !isSettled && counted === undefined && touchedAt <= now().getTime() - ABANDONED_MS

  async function signIn(guest: Owner): Promise<void> {
    const own = carts.get(customer)?.products ?? nobody
    const brought = carts.get(guest)?.products ?? nobody
    const all = own.union(brought)
    await change({ ...customer, shopper: { ...customer.shopper, token: guest.shopper.token } }, all)
    carts.delete(guest)
    remember(customer, all.size > 0, all)
  }

  return {
    async run(step: CartStep): Promise<void> {
      const owner = owners[step.who]
      if (owner === undefined) return
      if (step.kind === 'sign in') return signIn(owner)
      const before = carts.get(owner)?.products ?? nobody
      const after = step.kind === 'fill' ? before.union(new Set([step.product])) : nobody
      if (step.kind === 'buy') {
        if (before.size === 0) return
        await buy(owner)
        for (const [{ email }, cart] of carts)
          if (email === owner.email) Object.assign(cart, { isSettled: true, counted: undefined })
      } else await change(owner, after)
      remember(owner, before.size > 0, after)
    },
    /** The worker has looked for carts that were left. */
    count(): void {
      for (const cart of carts.values())
        if (isLeft(cart)) cart.counted = { day: day(new Date(cart.touchedAt)), cents: worth(cart) }
    },
    /** The counts of each day that has any. */
    days(): Record<string, CartCounts> {
      const left = [...carts.values()].flatMap(({ counted }) => counted ?? [])
      const dates = new Set([...begun, ...left.map((each) => each.day)])
      const countsOf = (date: string): CartCounts => {
        const ofDay = left.filter((each) => each.day === date)
        const order_amount = ofDay.reduce((sum, { cents }) => sum + cents, 0)
        return { carts: begun.filter((each) => each === date).length, order_count: ofDay.length, order_amount }
      }
      return Object.fromEntries([...dates].map((date) => [date, countsOf(date)]))
    },
  }
}

/** Two guests who have entered one address, a guest with another one, and a customer with the first. */
async function ownersIn({ shop, id: shopId }: OpenShop): Promise<{ guests: Owner[]; customer: Owner }> {
  const { id, email }: Wire = await aCustomer(shop)
  const guest = (token: string): Shopper => ({ companyId: shop.companyId, shopId, customerId: undefined, token })
  const guests: Owner[] = [
    { shopper: guest(`${shop.companyId} one`), email },
    { shopper: guest(`${shop.companyId} two`), email },
    { shopper: guest(`${shop.companyId} three`), email: 'joe@example.com' },
  ]
  return { guests, customer: { shopper: { ...guest(''), customerId: Number(id), token: undefined }, email } }
}
