import type { AddressState } from '#addresses/state.ts'
import type { Seller } from '#companies/state.ts'
import { CURRENCY_CODES, smallestCents } from '#currency-rates/currencies.ts'
import { convertCents, type Rates } from '#currency-rates/rules.ts'
import { objectionToCode, oneSpelling } from '#discount-codes/rules.ts'
import type { DiscountCodeState } from '#discount-codes/state.ts'
import { allowsCountry } from '#licenses/rules.ts'
import type { FieldReport } from '#platform/problem.ts'
import { resolvePrice } from '#prices/rules.ts'
import { chooseBinding, isPreOrder, type Kind, kindOf, objectionToSale } from '#products/sale/rules.ts'
import type { BindingForSale, ForSale, PriceForSale } from '#products/sale/state.ts'
import { chooseMethod } from '#shipping-methods/rules.ts'
import type { PricedMethod } from '#shipping-methods/state.ts'
import { taxRate } from '#taxes/rules.ts'
import type { LineItemInput } from './lines/schema.ts'
import type { DiscountUse } from './state.ts'
import { type Charge, type Discount, sum, type Totals, totalsOf } from './totals.ts'

const VALID = 1
const NET = 1
const B2B = 2
/** A hundred billion units: whatever comes to more is a slip, and numbers stay exact below. */
const TOTAL_MAX_CENTS = 10_000_000_000_000

/** What is asked for, found: a line before it has a price. */
export type ChosenLine = {
  product: ForSale
  binding: BindingForSale
  price: PriceForSale
  kind: Kind
  hd: boolean
  quantity: number
  isPreOrder: boolean
}

/** Who buys from whom, where, when. */
export type Sale = {
  seller: Seller
  /** Two letters; empty: nobody knows where the customer is. */
  country: string
  /** Where goods go. */
  destination: string
  /** The currency that is asked for, if any. */
  currency: string | undefined
  now: Date
}

/** Finds what each line asks for and reports what can't be sold. */
export function chooseLines(
  sent: readonly LineItemInput[],
  products: ReadonlyMap<string, ForSale>,
  { country, now }: Sale,
  report: FieldReport,
): ChosenLine[] {
  return sent.flatMap((line, index) => {
    const refuse = (field: string, reason: string) => {
      report.add(`line_items[${index}].${field}`, reason)
      return []
    }
    const product = products.get(line.product_id.trim())
    if (product === undefined) return refuse('product_id', 'is not a product of the shop')
    const objection = objectionToSale(product, now)
    if (objection !== undefined) return refuse('product_id', objection)
    const choice = chooseBinding(product, line.license_id ?? 0, line.hd ?? undefined)
    if (choice.kind === 'refused') return refuse(choice.field, choice.reason)
    const { binding } = choice
    if (binding.price === null) return refuse('product_id', 'has no price')
    if (binding.price.valid !== VALID) return refuse('product_id', 'has a price that is no longer valid')
    if (binding.license !== null && !allowsCountry(binding.license, country))
      return refuse('license_id', "may not be sold to the customer's country")
    return {
      product,
      binding,
      price: binding.price,
      kind: kindOf(product.product_type, binding.license),
      hd: choice.hd,
      quantity: line.quantity ?? 1,
      isPreOrder: isPreOrder(product, now),
    }
  })
}

export type Draft = {
  currency: string
  taxesIncluded: boolean
  rates: number[]
  totals: Totals
  discounts: DiscountUse[]
  method: PricedMethod | undefined
  shippingRate: number
  /** In the currency of the seller. */
  homeCents: number
}

/** A draft with what it was made of. */
export type DraftedOrder = Draft & {
  lines: ChosenLine[]
  country: string
  address: AddressState | null
  shopId: number
}

export type Wanted = { lines: ChosenLine[]; codes: DiscountCodeState[]; method: PricedMethod | undefined }

/** Prices, taxes and totals of an order. Undefined: a rate is missing to convert something with. */
export function draftOrder({ lines, codes, method }: Wanted, sale: Sale, rates: Rates): Draft | undefined {
  const { seller, country, destination, now } = sale
  const priced = priceLines(
    lines.map(({ price }) => price),
    sale,
    rates,
  )
  if (priced === undefined) return undefined
  const { currency } = priced
  const isB2B = seller.tax_options === B2B
  const rateOf = (kind: Kind) =>
    kind === 'digital'
      ? taxRate('digital', { seller: seller.country_code, customer: country, now })
      : taxRate('other', {
          seller: seller.country_code,
          customer: kind === 'physical' ? destination : country,
          now,
        })
  const charges = lines.map(({ binding, kind, quantity }, index): Charge => {
    const isNet = isB2B || binding.license?.tax_handling === NET
    return { unitCents: priced.cents[index]!, isNet, rate: rateOf(kind), quantity }
  })
  const shippingRate = rateOf('physical')
  const shippingCents = method?.price ? inCurrency(method.price, currency, destination, rates) : 0
  const discounts = codes.map((code) => asDiscount(code, seller.currency, currency, rates))
  if (shippingCents === undefined || discounts.includes(undefined)) return undefined
  const shipping =
    method === undefined ? [] : [{ unitCents: shippingCents, isNet: isB2B, rate: shippingRate, quantity: 1 }]
  const totals = totalsOf(charges, discounts as Discount[], shipping, smallestCents(currency))
  const homeCents = convertCents(totals.total, currency, seller.currency, rates)
  if (homeCents === undefined) return undefined
  return {
    currency,
    taxesIncluded: !charges.some(({ isNet }) => isNet),
    rates: charges.map(({ rate }) => rate),
    totals,
    discounts: codes.map(({ id, code, type }, index) => ({ id, code, type, amount: totals.discounts[index]! })),
    method,
    shippingRate,
    homeCents,
  }
}

/**
 * What one of each costs, in one currency: the one that is asked for, else that of all prices for the customer's country
 * if they have the same, else the seller's.
 */
function priceLines(
  prices: readonly PriceForSale[],
  { seller, country, currency: asked }: Sale,
  rates: Rates,
): { currency: string; cents: number[] } | undefined {
  const amounts = prices.map((price) =>
    resolvePrice(price, { country: country || undefined, currency: asked ?? seller.currency, rates }),
  )
  const currencies = new Set(amounts.map((amount) => amount?.currency))
  const [only] = currencies
  const currency = asked ?? (currencies.size === 1 && only !== undefined ? only : seller.currency)
  const cents = amounts.map((amount) =>
    amount === undefined ? undefined : convertCents(amount.cents, amount.currency, currency, rates),
  )
  return cents.includes(undefined) ? undefined : { currency, cents: cents as number[] }
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

/** The discount codes that are sent, each once; reports those that are not good. */
export function chooseCodes(
  sent: readonly { code: string }[],
  known: ReadonlyMap<string, DiscountCodeState>,
  now: Date,
  report: FieldReport,
): DiscountCodeState[] {
  const chosen = new Map<number, DiscountCodeState>()
  for (const [index, { code }] of sent.entries()) {
    const path = `discount_codes[${index}].code`
    const found = known.get(oneSpelling(code))
    const objection = found === undefined ? 'is not a discount code of the shop' : objectionToCode(found, now)
    if (objection !== undefined) report.add(path, objection)
    else if (found !== undefined) chosen.set(found.id, found)
  }
  return [...chosen.values()]
}

/** How goods are shipped. A company without ways of shipping asks nothing for it. */
export function chooseShipping(
  methods: readonly PricedMethod[],
  sent: readonly { title?: string | null }[],
  destination: string,
  report: FieldReport,
): PricedMethod | undefined {
  const title = sent[0]?.title?.trim() || undefined
  const method = chooseMethod(methods, title, destination)
  if (method === undefined && title !== undefined)
    report.add('shipping_lines[0].title', 'is not a way of shipping of the shop that leads there')
  else if (method === undefined && methods.length > 0) report.add('shipping_address', 'is where the shop does not ship')
  return method
}

export function checkCurrency(currency: string | undefined, report: FieldReport): void {
  if (currency !== undefined && !CURRENCY_CODES.has(currency)) report.add('currency', 'is not the code of a currency')
}

export function checkTotal(lines: readonly ChosenLine[], report: FieldReport): void {
  const most = (price: PriceForSale) =>
    Math.max(0, ...[...price.countries, ...price.currencies].map(({ cents }) => cents))
  if (sum(lines.map(({ price, quantity }) => most(price) * quantity)) > TOTAL_MAX_CENTS)
    report.add('line_items', 'come to more than an order can')
}
