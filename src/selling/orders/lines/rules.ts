import { smallestCents } from '#catalog/currency-rates/currencies.facts.ts'
import { gramsOf } from '#catalog/products/sale/rules.ts'
import { productTypeOf } from '#catalog/products/types.facts.ts'
import { chooseLocale } from '#identity/languages/rules.ts'
import { partOfCents } from '#platform/wire/money.ts'
import type { ChosenLine } from '../sale/pricing.rules.ts'
import { type LineAmounts, netOf } from '../sale/totals.rules.ts'
import type { OrderLineState } from '../state.ts'
import { isRental } from '../statistics/rules.ts'

export type NewLine = Pick<OrderLineState, 'company_id' | 'id' | 'order_id' | 'position'> & {
  amounts: LineAmounts
  rate: number
  creditCents: number
  currency: string
  language: string
  newCode: (() => string) | undefined
}

/** A line of a new order, with the product and the license as they are now. */
export function newLine(
  { product, parts, binding, kind, hd, quantity, isPreOrder, credit }: ChosenLine,
  line: NewLine,
): OrderLineState {
  const { amounts, rate, creditCents, currency, language, newCode, ...identity } = line
  const { license } = binding
  const license_title = license === null ? null : chooseLocale(license.locales, language)?.name || license.name
  return {
    ...identity,
    product_key: product.id,
    product_id: product.product_id,
    product_type: product.product_type,
    license_id: binding.license_id,
    license_title,
    hd,
    audio_type: binding.audio_type,
    num_users: binding.num_users,
    chosen_product_id: productTypeOf(product.product_type).isChoice ? (parts?.[0]?.product_id ?? null) : null,
    title: product.title,
    name: license_title === null ? product.title : `${product.title} - ${license_title}`,
    version: product.version,
    sku: product.gtin || product.product_id,
    gtin: product.gtin ?? '',
    quantity,
    grams: gramsOf(product, binding),
    kind,
    rental: isRental(license),
    price_cents: amounts.price,
    list_cents: amounts.list,
    discount_cents: amounts.discount,
    net_cents: amounts.net,
    tax_cents: amounts.tax,
    tax_rate: rate,
    product_exists: !isPreOrder,
    code: kind === 'digital' && newCode !== undefined ? newCode() : null,
    owner_id: product.share?.owner_id ?? null,
    original_key: product.share?.original_key ?? null,
    share_percent: product.share?.percent ?? null,
    // The share is a part of the original price: without tax, and before the seller's discounts.
    share_cents: shareOf(netOf(amounts.list, rate), product.share?.percent ?? 0, currency),
    stock_taken: 0,
    refunded_quantity: 0,
    refunded_cents: 0,
    credit_cents: creditCents,
    credited_entitlement_id: creditCents > 0 && credit !== null ? credit.entitlement_id : null,
  }
}

/** Some or all items of a line that the customer gives back; `line` is as it was before. */
export type ReturnedLine = { line: OrderLineState; quantity: number }

/** Once a purchase is undone, the rental that it kept can be kept again. */
export function releaseRental(line: OrderLineState, isCancelled: boolean): OrderLineState {
  const isUndone = isCancelled || line.refunded_quantity >= line.quantity
  return isUndone ? { ...line, credited_entitlement_id: null } : line
}

/** How many items go back into stock: at most as many as were taken from it. */
export function restockQuantity({ line, quantity }: ReturnedLine): number {
  return Math.min(quantity, line.stock_taken)
}

/** Percent have two decimals. */
function shareOf(cents: number, percent: number, currency: string): number {
  const step = smallestCents(currency)
  return partOfCents(cents, Math.round(percent * 100), 10_000 * step) * step
}
