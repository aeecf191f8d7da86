import { RATE_SCALE, type Rate } from '#identity/addresses/vat-rates.facts.ts'
import { partOfCents } from '#platform/wire/money.ts'
import { zip } from '#platform/wire/zip.ts'

/**
 * How the totals of an order are computed. There is one rounding rule: half up to whole cents, for each line.
 * Everything starts from the price of the line with tax; the tax is that price minus the net price, and the totals of
 * the order are sums over its lines and its shipping.
 */

/** One charge: a quantity of one product, or a shipping method. */
export type Charge = { unitCents: number; isNet: boolean; rate: Rate; quantity: number }

/** A discount: hundredths of a percent of every line, or an amount off all lines together. */
export type Discount = { type: 'percentage'; hundredths: number } | { type: 'fixed_amount'; cents: number }

export type LineAmounts = {
  /** The price of one item without tax and discount. */
  price: number
  /** The price of all items with tax, before discounts. */
  list: number
  discount: number
  net: number
  tax: number
}

export type TaxLine = { price: number; rate: Rate }

export type Totals = {
  lines: LineAmounts[]
  shipping: LineAmounts[]
  /** The amount that each discount took off, in the order of the discounts. */
  discounts: number[]
  taxLines: TaxLine[]
  lineItems: number
  discount: number
  net: number
  tax: number
  total: number
}

/** The net amount of an amount with tax. */
export function netOf(gross: number, rate: Rate): number {
  return partOfCents(gross, RATE_SCALE, RATE_SCALE + rate)
}

function listOf({ unitCents, isNet, rate, quantity }: Charge): number {
  const cents = unitCents * quantity
  return isNet ? cents + partOfCents(cents, rate, RATE_SCALE) : cents
}

function priceOf({ unitCents, isNet, rate }: Charge): number {
  return isNet ? unitCents : netOf(unitCents, rate)
}

/** Splits an amount in proportion to others, so that the parts add up to exactly the amount. */
export function spread(amount: number, over: readonly number[]): number[] {
  const whole = sum(over)
  if (whole === 0) return over.map(() => 0)
  let before = 0
  let taken = 0
  return over.map((weight) => {
    before += weight
    const upTo = partOfCents(amount, before, whole)
    const part = upTo - taken
    taken = upTo
    return part
  })
}

/** The amount that a discount takes off each line, of which `left` remains. No line falls below zero. */
function takeOff(discount: Discount, left: readonly number[]): number[] {
  if (discount.type === 'percentage') return left.map((cents) => partOfCents(cents, discount.hundredths, 10_000))
  return spread(Math.min(discount.cents, sum(left)), left)
}

/**
 * The totals of an order. `step` is the smallest payable amount of its currency in cents: everything is computed in
 * steps, because there is no half a yen.
 */
export function totalsOf(
  charges: readonly Charge[],
  discounts: readonly Discount[],
  shipping: readonly Charge[],
  step = 1,
): Totals {
  const inSteps = (cents: number) => partOfCents(cents, 1, step)
  const charge = (each: Charge): Charge => ({ ...each, unitCents: inSteps(each.unitCents) })
  const discount = (each: Discount): Discount =>
    each.type === 'percentage' ? each : { ...each, cents: inSteps(each.cents) }
  return inCents(sumUp(charges.map(charge), discounts.map(discount), shipping.map(charge)), step)
}

function inCents(totals: Totals, step: number): Totals {
  const cents = (line: LineAmounts): LineAmounts => ({
    price: line.price * step,
    list: line.list * step,
    discount: line.discount * step,
    net: line.net * step,
    tax: line.tax * step,
  })
  return {
    lines: totals.lines.map(cents),
    shipping: totals.shipping.map(cents),
    discounts: totals.discounts.map((amount) => amount * step),
    taxLines: totals.taxLines.map(({ price, rate }) => ({ price: price * step, rate })),
    lineItems: totals.lineItems * step,
    discount: totals.discount * step,
    net: totals.net * step,
    tax: totals.tax * step,
    total: totals.total * step,
  }
}

function sumUp(charges: readonly Charge[], discounts: readonly Discount[], shipping: readonly Charge[]): Totals {
  const lists = charges.map(listOf)
  let left = lists
  const taken = discounts.map((discount) => {
    const parts = takeOff(discount, left)
    left = zip(left, parts).map(([cents, part]) => cents - part)
    return sum(parts)
  })
  const amounts = (charge: Charge, list: number, gross: number): LineAmounts => {
    const net = netOf(gross, charge.rate)
    return { price: priceOf(charge), list, discount: list - gross, net, tax: gross - net }
  }
  const lines = zip(charges, zip(lists, left)).map(([charge, [list, gross]]) => amounts(charge, list, gross))
  const shippingLines = shipping.map((charge) => amounts(charge, listOf(charge), listOf(charge)))
  const all = [...lines, ...shippingLines]
  const net = sum(all.map((line) => line.net))
  const tax = sum(all.map((line) => line.tax))
  return {
    lines,
    shipping: shippingLines,
    discounts: taken,
    taxLines: taxLinesOf(zip([...charges, ...shipping], all).map(([{ rate }, { net: price }]) => ({ rate, price }))),
    lineItems: sum(lists),
    discount: sum(taken),
    net,
    tax,
    total: net + tax,
  }
}

/** One tax line for each rate, highest first. */
function taxLinesOf(parts: readonly TaxLine[]): TaxLine[] {
  const byRate = Map.groupBy(parts, ({ rate }) => rate)
  return [...byRate]
    .map(([rate, ofRate]) => ({ rate, price: sum(ofRate.map(({ price }) => price)) }))
    .sort((one, other) => other.rate - one.rate)
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/**
 * The part of an amount that belongs to `taken` of its `of` equal parts, after `before` parts were taken earlier,
 * rounded to payable steps. However the parts are taken, they add up to exactly the amount.
 */
export function nextPart(amount: number, before: number, taken: number, of: number, step = 1): number {
  const upTo = (parts: number) => (parts === of ? amount : partOfCents(amount, parts, of * step) * step)
  return of === 0 ? 0 : upTo(before + taken) - upTo(before)
}
