import { readRates } from '#catalog/currency-rates/queries.ts'
import { readForSale } from '#catalog/products/sale/queries.ts'
import { isHd } from '#catalog/products/sale/rules.ts'
import type { BindingForSale, ForSale } from '#catalog/products/sale/state.ts'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { Db } from '#platform/db/database.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { statusOf } from '#rights/entitlements/rights/rules.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { readPaidRentals } from '#selling/orders/sale/credits.queries.ts'
import type { PaidRental } from '#selling/orders/sale/credits.rules.ts'
import { chooseLines } from '#selling/orders/sale/draft.rules.ts'
import { NO_RATES, type Pricing, priceOrder } from '#selling/orders/sale/pricing.rules.ts'
import { isRental } from '#selling/orders/statistics/rules.ts'
import type { ShopVisit } from '#shop/site/state.ts'

/** How a rental is bought for good: the offer, and what is left to pay for it. */
export type KeepOffer = {
  /** The rental. */
  id: number
  product_id: string
  license_id: number | null
  hd: boolean | null
  audio_type: number | null
  users: number | null
  /** In cents, with tax. */
  price: number
  currency: string
}

/** Where and for whom a purchase is priced. */
export type Buyer = Pick<ShopVisit, 'shop' | 'country' | 'currency' | 'ownRates'>

/**
 * What it costs to keep things that are rented now, by their ids: the price of the purchase less what was paid for the rental.
 * Nothing is read if nothing is rented.
 */
export async function readKeepOffers(
  db: Db,
  { companyId, customerId, orderIds }: CustomerSession,
  visit: Buyer,
  entitlements: readonly EntitlementState[],
  now: Date,
): Promise<ReadonlyMap<number, KeepOffer>> {
  const rented = entitlements.filter(
    (each) => each.order_id !== null && isRental(each) && statusOf(rightsOf(each), now).state === 'active',
  )
  if (rented.length === 0) return new Map()
  const [rentals, products] = await Promise.all([
    readPaidRentals(
      db,
      { companyId, customerId, orderIds },
      rented.map(({ id }) => id),
    ),
    readForSale(db, companyId, [...new Set(rented.map(({ product_id }) => product_id))], now),
  ])
  const offers = await Promise.all(
    rented.map(async ({ id, product_id }) => {
      const [rental, product] = [rentals.get(id), products.get(product_id)]
      if (rental === undefined || rental.isOwned || product === undefined) return []
      const offer = await offerOf(db, product, rental, visit, now)
      return offer === undefined ? [] : [[id, offer] as const]
    }),
  )
  return new Map(offers.flat())
}

async function offerOf(
  db: Db,
  product: ForSale,
  rental: PaidRental,
  visit: Buyer,
  now: Date,
): Promise<KeepOffer | undefined> {
  const binding = bindingFor(product, rental.entitlement)
  if (binding === undefined) return undefined
  const { product_id } = product
  const { license_id, hd, audio_type, num_users } = binding
  const wanted = {
    product_id,
    ...(license_id === null ? {} : { license_id }),
    ...(hd === null ? {} : { hd }),
    ...(audio_type === null ? {} : { audio_type }),
    ...(num_users === null ? {} : { num_users }),
  }
  const rentals = new Map([[0, rental]])
  const products = new Map([[product_id, product]])
  const lines = chooseLines([wanted], products, visit.country, now, new FieldReport(), true, rentals)
  const [line] = lines
  if (line === undefined || line.credit === null) return undefined
  const pricing = await priceOf(db, { lines, codes: [], method: undefined, sale: saleOf(visit, now) })
  if (pricing === undefined || pricing.credits[0] === 0) return undefined
  const { totals, currency } = pricing
  const offer = { product_id, license_id, hd, audio_type, users: num_users }
  return { id: rental.entitlement.id, ...offer, price: totals.total, currency }
}

/** The purchase that is most like the rental: in the same quality if there is one, else the first of the shop owner. */
function bindingFor(product: ForSale, { hd, num_users }: EntitlementState): BindingForSale | undefined {
  const bought = product.bindings.filter(({ license, price }) => price !== null && !isRental(license))
  const isAlike = (each: BindingForSale) => isHd(product, each) === hd && (each.num_users ?? 1) === (num_users ?? 1)
  return bought.find(isAlike) ?? bought[0]
}

function saleOf({ shop, country, currency, ownRates }: Buyer, now: Date) {
  const { company_id: id, country_code, currency: home, tax_options } = shop
  const seller = { id, country_code, currency: home, tax_options, sandbox: false }
  return { seller, country, destination: country, ownRates, currency, reverseCharge: false, now }
}

async function priceOf(db: Db, wanted: Parameters<typeof priceOrder>[0]): Promise<Pricing | undefined> {
  return priceOrder(wanted, NO_RATES) ?? priceOrder(wanted, await readRates(db))
}
