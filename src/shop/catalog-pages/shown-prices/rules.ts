import { smallestCents } from '#catalog/currency-rates/currencies.facts.ts'
import { convertCents, type Rates } from '#catalog/currency-rates/rules.ts'
import { type Amount, resolvePrice } from '#catalog/prices/rules.ts'
import { kindOf } from '#catalog/products/sale/rules.ts'
import type { TaxClass } from '#identity/addresses/tax-classes.facts.ts'
import { totalsOf } from '#selling/orders/sale/totals.rules.ts'
import { methodsFor } from '#selling/shipping-methods/rules.ts'
import { taxRate } from '#selling/taxes/rules.ts'
import type { ShopVisit } from '#shop/site/state.ts'

const NET = 1
const NET_PRICES = 2

/** Where something is offered, which decides on its tax and its shipping. */
export type Market = Pick<ShopVisit, 'shop' | 'country' | 'currency' | 'ownRates' | 'shippingMethods'> & {
  rates: Rates
  now: Date
}

/** The terms that a price depends on. */
export type PricedUnder = { tax_handling: number; physical: number } | null

/** Companies that sell to businesses show prices without tax. */
export function showsNet({ shop }: Pick<Market, 'shop'>): boolean {
  return shop.tax_options === NET_PRICES
}

/**
 * What a visitor pays for one piece: the price with the tax of the country that prices are shown for, worked out as an order
 * does. A price that contains the tax is the same in every country.
 */
export function withTax(
  amount: Amount,
  license: PricedUnder,
  product: { product_type: number; tax_class: TaxClass },
  { shop, country, ownRates, now }: Market,
): Amount {
  if (shop.tax_options !== NET_PRICES && license?.tax_handling !== NET) return amount
  const kind = kindOf(product.product_type, license)
  const trade = { seller: shop.country_code, customer: country, taxClass: product.tax_class, own: ownRates, now }
  const rate = taxRate(kind === 'digital' ? 'digital' : 'other', trade)
  const charge = { unitCents: amount.cents, isNet: true, rate, quantity: 1 }
  return { ...amount, cents: totalsOf([charge], [], [], smallestCents(amount.currency)).total }
}

/** How goods reach a visitor who buys one piece. */
export type ShownShipping = {
  /** Nothing if it is free. */
  price: Amount | undefined
  /** From which amount on the goods of an order are shipped for nothing; nothing if they never are. */
  free_from: Amount | undefined
  /** Days; nothing if the seller does not say. */
  days: { min: number; max: number } | undefined
}

/** The way that an order ships unless another is chosen; `nowhere` if none leads there, nothing if the company has none. */
export function shippingFor(
  { shippingMethods, shop, country, currency, rates }: Market,
  grams: number,
): ShownShipping | 'nowhere' | undefined {
  const [method] = methodsFor(shippingMethods, { country: country || shop.country_code, grams })
  if (method === undefined) return shippingMethods.length === 0 ? undefined : 'nowhere'
  const amount = method.price === null ? undefined : resolvePrice(method.price, { country, currency, rates })
  // A price that nobody can work out is not a price of zero.
  if (amount === undefined && method.price !== null) return undefined
  const cents = amount && convertCents(amount.cents, amount.currency, currency, rates)
  const price = cents === undefined ? amount : { cents, currency }
  if (price === undefined || price.cents === 0)
    return { price: undefined, free_from: undefined, days: deliveryDays(method) }
  const least = method.free_from === null ? undefined : convertCents(method.free_from, shop.currency, currency, rates)
  return { price, free_from: least === undefined ? undefined : { cents: least, currency }, days: deliveryDays(method) }
}

/** How many days a shipping method takes. */
export function deliveryDays(method: {
  delivery_days_min: number | null
  delivery_days_max: number | null
}): ShownShipping['days'] {
  const min = method.delivery_days_min ?? method.delivery_days_max
  const max = method.delivery_days_max ?? method.delivery_days_min
  return min === null || max === null ? undefined : { min, max }
}
