import { isContent } from '#catalog/products/types.facts.ts'
import { type AddressContext, changeNamedAddress, isGiven, isPlace, replaceAddress } from '#identity/addresses/rules.ts'
import type { NamedAddressInput } from '#identity/addresses/schema.ts'
import type { AddressState } from '#identity/addresses/state.ts'
import type { Seller } from '#identity/companies/state.ts'
import type { Customer } from '#people/customers/schema.ts'
import { fieldReadOnly } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { asciiJson, parseTime } from '#platform/wire/times.ts'
import type { Known } from './buyers/rules.ts'
import { addressRequired, destinationNotServed, orderIsShipped, sellingIsOff } from './errors.ts'
import type { LineItem } from './lines/schema.ts'
import { sum } from './sale/totals.rules.ts'
import type { OrderChange, OrderInput } from './schema.ts'
import type {
  Channel,
  FulfillmentStatus,
  OrderLineState,
  OrderState,
  ShippingLine,
  StoredFulfillmentStatus,
  Visit,
} from './state.ts'

/** An order that an app creates through the API. No payment is collected for it. */
export const MANUAL: Channel = { source_name: 'api', gateway: 'Manual', financial_status: 'paid' }

/**
 * Does the customer still have to pay through a gateway? Until then nothing is sold: no app is told of the order, nobody
 * ships it, and the customer hears nothing if it ends. A bill that is paid later is a sale at once.
 */
export function awaitsGateway({
  financial_status,
  gateway,
}: Pick<OrderState, 'financial_status' | 'gateway'>): boolean {
  return financial_status === 'pending' && gateway !== MANUAL.gateway
}

/** Was the customer sent a bill that is not paid? */
export function isUnpaidBill({ financial_status, gateway }: Pick<OrderState, 'financial_status' | 'gateway'>): boolean {
  return financial_status === 'pending' && gateway === MANUAL.gateway
}

/** Until when the content of a confirmed order is held, because its customer did not agree to start at once; undefined if it is not. */
export function heldUntil(
  { confirmed, cancelled_at, withdrawal }: Pick<OrderState, 'confirmed' | 'cancelled_at' | 'withdrawal'>,
  now: Date,
): Date | undefined {
  const day = withdrawal?.usable_from ?? null
  if (!confirmed || cancelled_at !== null || day === null) return undefined
  return new Date(day) > now ? new Date(day) : undefined
}

/**
 * A disabled company sells nothing, and neither does one that will be deleted: its customers would soon lose what they buy. The API
 * and the shop of a company sell as long as they are active.
 */
export function assertSelling(
  { api_active, shop_active, company_disabled, deletion_due_at }: Seller,
  { source_name }: Pick<Channel, 'source_name'>,
): void {
  const isOpen = source_name === 'api' ? api_active : shop_active
  if (company_disabled || deletion_due_at !== null || !isOpen) throw sellingIsOff()
}

type Names = Pick<AddressState, 'first_name' | 'last_name'>

/** A parcel needs a name: an address without one gets that of the customer. */
function addressedTo(address: AddressState, { first_name, last_name }: Names): AddressState {
  return address.first_name || address.last_name ? address : { ...address, first_name, last_name }
}

/** The address for the goods of a new order: the one in the body, else the address of the customer. */
export function shippingAddress(
  sent: NamedAddressInput | null | undefined,
  { own, home }: Known,
  hasGoods: boolean,
  context: AddressContext,
  report: FieldReport,
): AddressState | null {
  if (isGiven(sent)) return addressedTo(changeNamedAddress(undefined, sent, context, report, 'shipping_address.'), own)
  if (!hasGoods || home === undefined) return null
  const { default: _default, ...address } = home
  return addressedTo(address, own)
}

const text = (sent: string | null | undefined) => sent?.trim() || null

export function visitOf(input: OrderInput): Visit {
  return {
    browser_ip: text(input.browser_ip) ?? '',
    device_id: text(input.device_id),
    landing_site: text(input.landing_site),
    landing_site_ref: text(input.landing_site_ref),
    referring_site: text(input.referring_site),
    location_id: text(input.location_id),
    source: text(input.source),
    source_identifier: text(input.source_identifier),
  }
}

export function orderName(id: number): string {
  return `#${id}`
}

/** How the audit log names an order. */
export function deedSubjects(id: number): string[] {
  return [orderName(id), `order ${orderName(id)}`]
}

/** How the page of an order is addressed: by its id, and by a secret that only its customer has. */
export function orderPath({ id, checkout_token }: Pick<OrderState, 'id' | 'checkout_token'>): string {
  return `${id}-${checkout_token}`
}

/** The id and the secret in the address of the page of an order. */
export function readOrderPath(ref: string): { id: string; token: string } | undefined {
  const [, id, token] = /^(\d{1,15})-([\w-]{10,100})$/.exec(ref) ?? []
  return id === undefined || token === undefined ? undefined : { id, token }
}

/** What the fulfillment of an order depends on. */
export type ToFulfill = Pick<OrderState, 'financial_status'> & {
  lines: readonly LineToFulfill[]
  isShipped: boolean
}

/**
 * Goods are fulfilled once they are shipped, everything else once the order is paid. Goods that were refunded before that are
 * no longer waiting to be shipped. A line that ships may give content too.
 */
export function fulfillmentStatus({ lines, financial_status, isShipped }: ToFulfill): FulfillmentStatus {
  const goods = lines.filter(({ kind }) => kind === 'physical')
  const givesMore = lines.some(({ kind, product_type }) => kind !== 'physical' || isContent(product_type))
  const isWaiting = !isShipped && goods.some(({ quantity, refunded_quantity }) => quantity > refunded_quantity)
  if (financial_status === 'pending') return !isShipped ? null : givesMore ? 'partial' : 'fulfilled'
  if (!isWaiting) return 'fulfilled'
  return givesMore ? 'partial' : null
}

export function storedStatus({
  fulfillment_status,
  cancelled_at,
}: Pick<OrderState, 'fulfillment_status' | 'cancelled_at'>): StoredFulfillmentStatus {
  return cancelled_at === null ? fulfillment_status : 'cancelled'
}

type LineToFulfill = Pick<OrderLineState, 'kind' | 'product_type' | 'quantity' | 'refunded_quantity'>

export function isShipped({ shipments }: Pick<OrderState, 'shipments'>): boolean {
  return shipments.length > 0
}

/** What a change of the shipping address depends on. */
export type ShippingContext = AddressContext & {
  /** The names of the customer. */
  names: Names
  /** Does the shop ship to the address? */
  isServed: (address: AddressState) => boolean
}

/** The order after an update. Only a few attributes can be changed; the others may be sent back unchanged. */
export function changeOrder(
  before: OrderState,
  shown: readonly LineItem[],
  input: OrderChange,
  context: ShippingContext & { now: Date },
): OrderState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  checkLines(shown, input.line_items, report)
  const shipping_address = changeShippingAddress(before, input.shipping_address, context, report)
  report.throwIfAny()
  const { closed_at } = input
  return {
    ...before,
    order_number: input.order_number ?? before.order_number,
    po_number: input.po_number ?? before.po_number,
    buyer_accepts_marketing: input.buyer_accepts_marketing ?? before.buyer_accepts_marketing,
    confirmed: input.confirmed ?? before.confirmed,
    closed_at: closed_at === undefined ? before.closed_at : closed_at === null ? null : (parseTime(closed_at) ?? null),
    shipping_address,
    updated_at: context.now,
  }
}

/**
 * A new address replaces the whole one before. An empty object says nothing. Null removes the address, unless the order
 * has goods: they need one.
 */
function changeShippingAddress(
  before: OrderState,
  sent: NamedAddressInput | null | undefined,
  context: ShippingContext,
  report: FieldReport,
): AddressState | null {
  const was = before.shipping_address
  const hasGoods = before.lines.some(({ kind }) => kind === 'physical')
  if (sent === undefined || (sent === null ? hasGoods : !isGiven(sent))) return was
  const after = sent === null ? null : addressedTo(takePlace(was, sent, context, report), context.names)
  if (JSON.stringify(after) === JSON.stringify(was)) return was
  if (isShipped(before)) throw orderIsShipped(before.id)
  if (sent !== null && after !== null && hasGoods) {
    if (!isPlace(sent)) report.add('shipping_address', addressRequired())
    else if (!context.isServed(after)) report.add('shipping_address', destinationNotServed())
  }
  return after
}

function takePlace(was: AddressState | null, sent: NamedAddressInput, context: AddressContext, report: FieldReport) {
  const path = 'shipping_address.'
  return was === null
    ? changeNamedAddress(undefined, sent, context, report, path)
    : replaceAddress(was, sent, context, report, path)
}

/** Lines cannot be changed, so lines that are sent have to match the stored ones in every field that they name. */
function checkLines(
  shown: readonly LineItem[],
  sent: readonly Partial<LineItem>[] | undefined,
  report: FieldReport,
): void {
  if (sent === undefined) return
  if (sent.length !== shown.length) report.add('line_items', fieldReadOnly('cannot be changed'))
  for (const [index, line] of sent.entries()) {
    const stored = new Map<string, unknown>(
      Object.entries(shown.find(({ id }) => id === line.id) ?? shown[index] ?? {}),
    )
    for (const [name, value] of Object.entries(line)) {
      if (!repeats(stored.get(name), value))
        report.add(`line_items[${index}].${name}`, fieldReadOnly('cannot be changed'))
    }
  }
}

/** Clients send null for empty values, and product ids in upper or lower case. */
function repeats(stored: unknown, sent: unknown): boolean {
  if (typeof stored === 'object' && stored !== null) return JSON.stringify(stored) === JSON.stringify(sent)
  return String(stored ?? '').toLowerCase() === String(sent ?? '').toLowerCase()
}

/** The two documents that make up the answer; they change independently. */
export type OrderParts = { id: number; document: string; customer: string }

/**
 * The whole answer: the order, and the customer as the company has it. PostgreSQL could concatenate them, but it would
 * count the characters of a text before it cuts off the last one.
 */
export function wholeDocument({ document, customer }: Omit<OrderParts, 'id'>): string {
  return `${document.slice(0, -1)},"customer":${customer}}`
}

/** The taxes of a shipping line, one for each rate. */
export function taxesOfShipping({ price, tax_lines }: ShippingLine): { rate: number; net: number; tax: number }[] {
  const whole = price - sum(tax_lines.map((line) => line.price))
  return tax_lines.map(({ price: net, rate, tax }) => ({ rate, net, tax: tax ?? whole }))
}

const NOWHERE: Visit = {
  browser_ip: '',
  device_id: null,
  landing_site: null,
  landing_site_ref: null,
  referring_site: null,
  location_id: null,
  source: null,
  source_identifier: null,
  is_forgotten: true,
}

/** The order of a customer who was erased: names and addresses stay, because invoices and books need them. */
export function withoutTraces(order: OrderState): OrderState {
  const { shipping_address } = order
  const buyer: Customer = JSON.parse(order.buyer)
  const addresses = buyer.addresses.map((address) => ({ ...address, phone: '' }))
  const default_address = addresses.find((address) => address.default) ?? null
  return {
    ...order,
    visit: NOWHERE,
    shipping_address: shipping_address === null ? null : { ...shipping_address, phone: '' },
    buyer: asciiJson({ ...buyer, note: '', addresses, default_address }),
  }
}
