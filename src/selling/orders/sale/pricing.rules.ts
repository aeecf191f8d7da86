import { smallestCents } from '#catalog/currency-rates/currencies.facts.ts'
import { convertCents, type Rates } from '#catalog/currency-rates/rules.ts'
import { resolvePrice } from '#catalog/prices/rules.ts'
import type { Kind } from '#catalog/products/sale/rules.ts'
import type { BindingForSale, ForSale, PartForSale, PriceForSale } from '#catalog/products/sale/state.ts'
import type { TaxClass } from '#identity/addresses/tax-classes.facts.ts'
import type { Seller } from '#identity/companies/state.ts'
import { partOfCents } from '#platform/wire/money.ts'
import { zip } from '#platform/wire/zip.ts'
import type { DiscountCodeState } from '#selling/discount-codes/state.ts'
import type { PricedMethod } from '#selling/shipping-methods/state.ts'
import { type OwnRates, taxRate } from '#selling/taxes/rules.ts'
import type { DiscountUse } from '../state.ts'
import type { Credit } from './credits.rules.ts'
import { type Charge, type Discount, netOf, spread, sum, type Totals, totalsOf } from './totals.rules.ts'

const NET = 1
/** Prices are without tax. */
export const B2B = 2

/** Most orders need no conversion, and so no rates. */
export const NO_RATES: Rates = new Map()

/** The product and license of a line, before it has a price. */
export type ChosenLine = {
  product: ForSale
  /** The products of a collection, or the chosen one of a variation. Null: the product itself. */
  parts: PartForSale[] | null
  binding: BindingForSale
  price: PriceForSale
  kind: Kind
  hd: boolean
  quantity: number
  isPreOrder: boolean
  /** Was it chosen to keep something that the customer has rented? */
  keepsRental: boolean
  /** What was paid for the rental; null if nothing of it counts. */
  credit: Credit | null
}

/** Who sells, to which country, and when. */
export type Sale = {
  seller: Pick<Seller, 'id' | 'country_code' | 'currency' | 'tax_options' | 'sandbox'>
  /** The two-letter code; empty if the country of the customer is not known. */
  country: string
  /** The country that goods are shipped to. */
  destination: string
  /** The tax rates that the seller has set itself. */
  ownRates: OwnRates
  /** The requested currency, if any. */
  currency: string | undefined
  /** The customer owes the tax, so none is charged. */
  reverseCharge: boolean
  /** Everything costs nothing. */
  isFree?: boolean
  now: Date
}

export type Wanted = {
  lines: ChosenLine[]
  codes: DiscountCodeState[]
  method: PricedMethod | undefined
  sale: Sale
}

export type Pricing = {
  currency: string
  taxesIncluded: boolean
  rates: number[]
  totals: Totals
  /** By how many cents each line is cheaper, because what was paid for a rental is credited; with tax. */
  credits: number[]
  discounts: DiscountUse[]
  /** One for each charge for shipping. */
  shippingRates: number[]
  /** In the currency of the seller; undefined if there is no rate to convert it. */
  homeCents: number | undefined
}

/** Prices, taxes and totals of an order; undefined if a rate is missing to convert a price. */
export function priceOrder({ lines, codes, method, sale }: Wanted, rates: Rates): Pricing | undefined {
  const { seller, destination } = sale
  const priced = priceLines(lines, sale, rates)
  if (priced === undefined) return undefined
  const { currency } = priced
  const isB2B = seller.tax_options === B2B
  const whole = priced.lines.map(({ product, binding, kind, quantity, unitCents }): Charge => {
    const isNet = isB2B || binding.license?.tax_handling === NET
    return chargeOf({ unitCents, isNet, rate: rateOf(kind, product.tax_class, sale), quantity }, sale)
  })
  const charges = zip(whole, lines).map(([charge, { credit }]) => lessCredit(charge, credit, currency, sale))
  const isShippedFree = isFreeFrom(method, priced, seller.currency, rates)
  const shippingCents =
    method?.price && sale.isFree !== true && isShippedFree === false
      ? inCurrency(method.price, currency, destination, rates)
      : 0
  const discounts = codes.flatMap((code) => asDiscount(code, seller.currency, currency, rates) ?? [])
  if (isShippedFree === undefined || shippingCents === undefined || discounts.length < codes.length) return undefined
  const step = smallestCents(currency)
  const shipping =
    method === undefined
      ? []
      : byRate(
          splitShipping(shippingCents, shippedWorth(priced.lines, sale), step).map(({ unitCents, rate }) =>
            chargeOf({ unitCents, isNet: isB2B, rate, quantity: 1 }, sale),
          ),
        )
  const totals = totalsOf(charges, discounts, shipping, step)
  return {
    currency,
    taxesIncluded: !charges.some(({ isNet }) => isNet),
    rates: charges.map(({ rate }) => rate),
    totals,
    credits: zip(zip(whole, charges), totals.lines).map(([[before, after], { list }]) =>
      before === after ? 0 : totalsOf([before], [], [], step).lineItems - list,
    ),
    discounts: zip(codes, totals.discounts).map(([{ id, code, type }, amount]) => ({ id, code, type, amount })),
    shippingRates: shipping.map(({ rate }) => rate),
    homeCents: convertCents(totals.total, currency, seller.currency, rates),
  }
}

/** Do the goods cost so much that shipping costs nothing? Undefined if a rate is missing to compare the amounts. */
function isFreeFrom(
  method: PricedMethod | undefined,
  { currency, lines }: { currency: string; lines: readonly (ChosenLine & { unitCents: number })[] },
  home: string,
  rates: Rates,
): boolean | undefined {
  if (!method?.price || method.free_from === null) return false
  const least = convertCents(method.free_from, home, currency, rates)
  if (least === undefined) return undefined
  const goods = lines.filter(({ kind }) => kind === 'physical')
  return sum(goods.map(({ unitCents, quantity }) => unitCents * quantity)) >= least
}

/** A business that owes the tax itself pays the price without it. */
function chargeOf(charge: Charge, { reverseCharge }: Sale): Charge {
  if (!reverseCharge) return charge
  const unitCents = charge.isNet ? charge.unitCents : netOf(charge.unitCents, charge.rate)
  return { ...charge, unitCents, rate: 0 }
}

/** What was paid for a rental lowers the price of its purchase, down to nothing. It was paid in one currency. */
function lessCredit(charge: Charge, credit: Credit | null, currency: string, { reverseCharge }: Sale): Charge {
  if (credit === null || credit.currency !== currency) return charge
  const paid = charge.isNet || reverseCharge ? credit.net : credit.gross
  return { ...charge, unitCents: Math.max(0, charge.unitCents - paid) }
}

/** Parts with the same rate are one charge: a business that owes the tax itself pays all of them without it. */
function byRate(charges: readonly Charge[]): Charge[] {
  return [...Map.groupBy(charges, ({ rate }) => rate).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : { ...first, unitCents: sum([first, ...more].map(({ unitCents }) => unitCents)) },
  )
}

/** What the goods of each rate cost. */
function shippedWorth(lines: readonly (ChosenLine & { unitCents: number })[], sale: Sale): Map<number, number> {
  const worth = new Map<number, number>()
  for (const { product, kind, unitCents, quantity } of lines) {
    if (kind !== 'physical') continue
    const rate = rateOf(kind, product.tax_class, sale)
    worth.set(rate, (worth.get(rate) ?? 0) + unitCents * quantity)
  }
  return worth
}

/**
 * Shipping is taxed like the goods that are shipped. If those have several rates, it is divided in proportion to their prices;
 * if they are free, the highest rate applies.
 */
export function splitShipping(
  cents: number,
  worthByRate: ReadonlyMap<number, number>,
  step: number,
): { unitCents: number; rate: number }[] {
  const rates = [...worthByRate].sort(([one], [other]) => other - one)
  const worth = rates.map(([, value], index) => (sum([...worthByRate.values()]) === 0 ? Number(index === 0) : value))
  const parts = spread(partOfCents(cents, 1, step), worth)
  return zip(rates, parts).flatMap(([[rate], part], index) =>
    part === 0 && index > 0 ? [] : { unitCents: part * step, rate },
  )
}

function rateOf(kind: Kind, taxClass: TaxClass, { seller, country, destination, ownRates, now }: Sale): number {
  const customer = kind === 'physical' ? destination : country
  const trade = { seller: seller.country_code, customer, taxClass, own: ownRates, now }
  return taxRate(kind === 'digital' ? 'digital' : 'other', trade)
}

/**
 * The unit prices in one currency: the requested one, else the currency that all prices for the customer's country
 * share, else the seller's.
 */
function priceLines(
  lines: readonly ChosenLine[],
  { seller, country, currency: asked, isFree = false }: Sale,
  rates: Rates,
): { currency: string; lines: (ChosenLine & { unitCents: number })[] } | undefined {
  const amounts = lines.map(({ price }) =>
    resolvePrice(price, { country: country || undefined, currency: asked ?? seller.currency, rates }),
  )
  const currencies = new Set(amounts.map((amount) => amount?.currency))
  const [only] = currencies
  const currency = asked ?? (currencies.size === 1 && only !== undefined ? only : seller.currency)
  const priced = zip(lines, amounts).flatMap(([line, amount]) => {
    const unitCents = amount && convertCents(amount.cents, amount.currency, currency, rates)
    return unitCents === undefined ? [] : { ...line, unitCents: isFree ? 0 : unitCents }
  })
  return priced.length < lines.length ? undefined : { currency, lines: priced }
}

function inCurrency(price: PriceForSale, currency: string, country: string, rates: Rates): number | undefined {
  const amount = resolvePrice(price, { country: country || undefined, currency, rates })
  return amount === undefined ? undefined : convertCents(amount.cents, amount.currency, currency, rates)
}

function asDiscount(code: DiscountCodeState, from: string, to: string, rates: Rates): Discount | undefined {
  if (code.type === 'percentage') return { type: 'percentage', hundredths: Math.round(code.amount * 100) }
  const cents = convertCents(code.amount, from, to, rates)
  return cents === undefined ? undefined : { type: 'fixed_amount', cents }
}
