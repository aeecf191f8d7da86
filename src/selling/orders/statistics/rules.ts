import type { Kind } from '#catalog/products/sale/rules.ts'
import type { LicenseForSale } from '#catalog/products/sale/state.ts'
import { spread, sum } from '../sale/totals.rules.ts'
import type { OrderLineState, OrderState, Visit } from '../state.ts'

/**
 * What a sale adds to the statistics of its day, and what a whole day has. Orders and abandoned carts use the same record.
 * Amounts are cents of the company's home currency, with tax, after discounts and refunds.
 */
export type SaleRecord = {
  /** Orders, and what is left of their totals. Shipping is included. */
  order_count: number
  order_amount: number
  /** Orders of customers in the company's own country, or whose country is not known. */
  national_count: number
  national_amount: number
  /** Orders of customers in other countries. */
  international_count: number
  international_amount: number
  /** Pieces of all lines. */
  item_count: number
  /** Pieces of content. */
  digital_count: number
  digital_amount: number
  /** Pieces of goods, without shipping. */
  physical_count: number
  physical_amount: number
  /** Pieces of content that the customer may use for ever. */
  permanent_license_count: number
  permanent_license_amount: number
  /** Pieces of content under a license that expires. */
  rental_license_count: number
  rental_license_amount: number
}

/** A day of a company in its time zone, as `2026-05-01`, and its record. */
export type DayRecord = SaleRecord & { date: string }

export const NO_SALES: SaleRecord = {
  order_count: 0,
  order_amount: 0,
  national_count: 0,
  national_amount: 0,
  international_count: 0,
  international_amount: 0,
  item_count: 0,
  digital_count: 0,
  digital_amount: 0,
  physical_count: 0,
  physical_amount: 0,
  permanent_license_count: 0,
  permanent_license_amount: 0,
  rental_license_count: 0,
  rental_license_amount: 0,
}

/** A line as far as the statistics need it: what is left of it after refunds, in the currency of the sale. */
export type CountedLine = {
  kind: Kind
  /** Does its license expire? */
  rental: boolean
  quantity: number
  cents: number
}

export type CountedSale<Line extends CountedLine = CountedLine> = {
  isInternational: boolean
  /** What is left of the total, in the home currency. */
  homeCents: number
  /** The price of shipping, in the currency of the sale. */
  shippingCents: number
  lines: readonly Line[]
}

/**
 * The value of each line in the home currency. What the sale is worth now is divided among its lines and its shipping in
 * proportion to their prices, so that a discount on everything or a refund of no particular line lessens all of them.
 */
export function homeCentsOfLines({ homeCents, shippingCents, lines }: CountedSale): number[] {
  return spread(homeCents, [...lines.map(({ cents }) => cents), shippingCents]).slice(0, -1)
}

/** The record of one sale, or of one abandoned cart. */
export function recordOf(sale: CountedSale, amounts = homeCentsOfLines(sale)): SaleRecord {
  const { isInternational, homeCents, lines } = sale
  const pieces = (isMeant: (line: CountedLine) => boolean) =>
    sum(lines.map((line) => (isMeant(line) ? line.quantity : 0)))
  const amount = (isMeant: (line: CountedLine) => boolean) =>
    sum(lines.map((line, index) => (isMeant(line) ? (amounts[index] ?? 0) : 0)))
  const isDigital = ({ kind }: CountedLine) => kind === 'digital'
  const isPhysical = ({ kind }: CountedLine) => kind === 'physical'
  const isRented = (line: CountedLine) => isDigital(line) && line.rental
  const isPermanent = (line: CountedLine) => isDigital(line) && !line.rental
  return {
    order_count: 1,
    order_amount: homeCents,
    national_count: isInternational ? 0 : 1,
    national_amount: isInternational ? 0 : homeCents,
    international_count: isInternational ? 1 : 0,
    international_amount: isInternational ? homeCents : 0,
    item_count: pieces(() => true),
    digital_count: pieces(isDigital),
    digital_amount: amount(isDigital),
    physical_count: pieces(isPhysical),
    physical_amount: amount(isPhysical),
    permanent_license_count: pieces(isPermanent),
    permanent_license_amount: amount(isPermanent),
    rental_license_count: pieces(isRented),
    rental_license_amount: amount(isRented),
  }
}

type Expiries = Pick<LicenseForSale['terms'], 'expire_after_acquisition' | 'expire_after_first_use'> & {
  expiration_date: string | Date | null
}

/** A license that expires in any of the three ways is a rental. Content without a license is sold for ever. */
export function isRental(license: { terms: Expiries } | null): boolean {
  if (license === null) return false
  const { expiration_date, expire_after_acquisition, expire_after_first_use } = license.terms
  return expiration_date !== null || expire_after_acquisition > 0 || expire_after_first_use > 0
}

/** Nobody knows where a customer without a country is, so the sale counts as national. */
export function isInternational(customerCountry: string, companyCountry: string): boolean {
  return customerCountry !== '' && customerCountry !== companyCountry
}

/** The names of the numbers of a record, in the order in which a change stores them. */
export const RECORD_FIELDS = Object.keys(NO_SALES) as (keyof SaleRecord)[]

const MINUTE_MS = 60_000

/** The day of a time, as `2026-05-01`, at an offset to UTC in minutes. */
export function dayAt(time: Date, offsetMinutes: number): string {
  return new Date(time.getTime() + offsetMinutes * MINUTE_MS).toISOString().slice(0, 10)
}

export const OPERATING_SYSTEMS = [
  'fire_os',
  'chrome_os',
  'ios',
  'android',
  'windows',
  'os_x',
  'linux',
  'unknown',
] as const

export type OperatingSystem = (typeof OPERATING_SYSTEMS)[number]

/** A shop stores the operating system as the device of an order. Apps may name one too; other devices are not known. */
export function operatingSystemOf({ device_id }: Pick<Visit, 'device_id'>): OperatingSystem {
  const name = device_id?.toLowerCase()
  return OPERATING_SYSTEMS.find((system) => system === name) ?? 'unknown'
}

const HOST_MAX = 253

/** The host of the page that led to the shop. A shop stores the host alone, and apps send an address. */
export function referrerOf({ referring_site }: Pick<Visit, 'referring_site'>): string {
  if (referring_site === null) return ''
  const host = URL.parse(referring_site)?.hostname || (/^[\w.-]+$/.test(referring_site) ? referring_site : '')
  return host.length > HOST_MAX ? '' : host.toLowerCase()
}

/** Where an order came from. A source is the channel, such as `webshop`. */
export type Origin = 'source' | 'operating_system' | 'country' | 'referrer'

export type OriginDay = { date: string; value: string; order_count: number; order_amount: number }

/** How a product has sold. */
export type ProductSales = { product_key: number; product_id: string; name: string; count: number; amount: number }

/** What an order adds to the statistics. */
export type Contribution = { record: SaleRecord; products: ProductSales[] }

export type ContributingOrder = Pick<
  OrderState,
  'financial_status' | 'cancelled_at' | 'international' | 'home_cents' | 'home_refunded_cents' | 'total_cents' | 'lines'
>

/**
 * What an order adds to the day on which it was placed. A day says what its orders are worth today: a refund lessens the
 * day of its order, not the day of the refund. Null: cancelled orders and orders that are not paid yet add nothing. Tests count in
 * sandboxes only, which whoever writes the change down looks at.
 */
export function contributionOf(order: ContributingOrder): Contribution | null {
  if (order.cancelled_at !== null || order.financial_status === 'pending') return null
  const lines = order.lines.map((line) => ({
    ...line,
    quantity: line.quantity - line.refunded_quantity,
    cents: paidFor(line) - line.refunded_cents,
  }))
  const sale = {
    isInternational: order.international,
    homeCents: order.home_cents - order.home_refunded_cents,
    shippingCents: order.total_cents - sum(order.lines.map(paidFor)),
    lines,
  }
  const amounts = homeCentsOfLines(sale)
  return { record: recordOf(sale, amounts), products: productSales(sale, amounts) }
}

function paidFor({ list_cents, discount_cents }: OrderLineState): number {
  return list_cents - discount_cents
}

/** One entry for each product, also if several lines have it. */
function productSales(sale: CountedSale<CountedLine & OrderLineState>, amounts: readonly number[]): ProductSales[] {
  const byProduct = new Map<number, ProductSales>()
  for (const [index, { product_key, product_id, title: name, quantity }] of sale.lines.entries()) {
    const { count, amount } = byProduct.get(product_key) ?? { count: 0, amount: 0 }
    byProduct.set(product_key, {
      product_key,
      product_id,
      name,
      count: count + quantity,
      amount: amount + (amounts[index] ?? 0),
    })
  }
  return [...byProduct.values()]
}

/** The first and the last day, both included, as `2026-05-01`. */
export type Days = { from: string; to: string }

/** The day after the last one that has four digits for its year. */
const END = 'infinity'

function dayOf(time: number): string {
  const text = new Date(time).toISOString()
  return text.startsWith('+') ? END : text.slice(0, 10)
}

/** The first day of the month that is so many months after the month of a day. */
function monthAfter(day: string, months: number): string {
  if (day === END) return END
  const [year = 0, month = 0] = day.split('-').map(Number)
  return dayOf(Date.UTC(year, month - 1 + months, 1))
}

const dayBefore = (day: string) => dayOf(Date.parse(day) - 86_400_000)
const dayAfter = (day: string) => dayOf(Date.parse(day) + 86_400_000)

/**
 * The whole months of a period, from `firstMonth` until before `endOfMonths`, the days before them until `headTo`, and the days
 * after them from `tailFrom`. A part that ends before it begins has no days.
 */
export function splitByMonths({ from, to }: Days) {
  const firstMonth = monthAfter(dayBefore(from), 1)
  const endOfMonths = monthAfter(dayAfter(to), 0)
  if (firstMonth >= endOfMonths) return { firstMonth, endOfMonths: firstMonth, headTo: to, tailFrom: dayAfter(to) }
  return { firstMonth, endOfMonths, headTo: dayBefore(firstMonth), tailFrom: endOfMonths }
}
