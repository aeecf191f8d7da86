import { FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import type { ShippingMethodState } from '#selling/shipping-methods/state.ts'
import { awaitsGateway } from '../rules.ts'
import type { OrderState, Shipment } from '../state.ts'
import { alreadyShipped } from './errors.ts'
import type { FulfillmentInput, FulfillmentStatus } from './schema.ts'
import type { FulfilledLine, FulfillmentState, ShippedLine } from './state.ts'

export const NOT_SHIPPED = 0
export const SHIPPED = 100

const NEXT: Record<FulfillmentStatus, readonly FulfillmentStatus[]> = {
  [NOT_SHIPPED]: [NOT_SHIPPED, SHIPPED],
  [SHIPPED]: [SHIPPED],
}

export function mayBecome(from: FulfillmentStatus, to: FulfillmentStatus): boolean {
  return NEXT[from].includes(to)
}

/** The lines to ship: those that were in the parcel, or before that the goods of the order less the refunded ones. */
export function linesToShip({ lines }: Pick<OrderState, 'lines'>, shipped: ShippedLine[] | null): FulfilledLine[] {
  const inParcel = new Map(shipped?.map(({ id, quantity }) => [id, quantity]))
  return lines
    .filter(({ kind }) => kind === 'physical')
    .map(({ id, product_id, title, version, quantity, refunded_quantity, gtin, grams }) => ({
      id,
      product_id,
      title,
      version,
      quantity: shipped === null ? quantity - refunded_quantity : (inParcel.get(id) ?? 0),
      gtin,
      grams,
    }))
}

/** The shipment as the order shows it; undefined until it is shipped. */
export function shipmentOf({
  entry_id,
  shipped_at,
  shipped_lines,
}: Pick<FulfillmentState, 'entry_id' | 'shipped_at' | 'shipped_lines'>): Shipment | undefined {
  if (entry_id === null || shipped_at === null) return undefined
  const line_ids = (shipped_lines ?? []).filter(({ quantity }) => quantity > 0).map(({ id }) => id)
  return { id: entry_id, created_at: shipped_at, line_ids }
}

export function newFulfillment(order: OrderState, method: ShippingMethodState | undefined): FulfillmentState {
  return {
    company_id: order.company_id,
    id: order.id,
    partner_id: method?.partner_id ?? null,
    status: NOT_SHIPPED,
    tracking_company: method?.tracking_company ?? '',
    tracking_number: '',
    tracking_template: method?.tracking_url ?? '',
    entry_id: null,
    shipped_at: null,
    shipped_lines: null,
    // Nobody ships what the customer may never pay.
    cancelled: awaitsGateway(order),
    created_at: order.created_at,
    updated_at: order.created_at,
    customer_token: order.customer_token,
    shipping_address: order.shipping_address,
    lines: linesToShip(order, null),
  }
}

/** The fulfillment after an update. It is shipped once; tracking numbers may come before and after that. */
export function changeFulfillment(
  before: FulfillmentState,
  input: FulfillmentInput,
  {
    now,
    takeId,
    templateOf = () => '',
  }: {
    now: Date
    takeId: () => number
    /** The tracking address of a carrier; empty if none is known. */
    templateOf?: (carrier: string) => string
  },
): FulfillmentState {
  const report = new FieldReport()
  reportUnstorable({ tracking_number: input.tracking_number, tracking_company: input.tracking_company }, report)
  report.throwIfAny()
  const status = input.status ?? before.status
  if (!mayBecome(before.status, status)) throw alreadyShipped(before.id)
  const { tracking_number: sent } = input
  const tracking_number = sent === undefined ? before.tracking_number : (sent?.trim() ?? '')
  const after = { ...before, tracking_number, ...carrierOf(before, input, templateOf), updated_at: now }
  if (status === before.status) return after
  const shipped_lines = before.lines.map(({ id, quantity }) => ({ id, quantity }))
  return { ...after, status, entry_id: takeId(), shipped_at: now, shipped_lines }
}

/** Who carries it, and where it is followed then. */
function carrierOf(
  before: FulfillmentState,
  { tracking_company: sent }: FulfillmentInput,
  templateOf: (carrier: string) => string,
): Pick<FulfillmentState, 'tracking_company' | 'tracking_template'> {
  const { tracking_company, tracking_template } = before
  const carrier = sent?.trim() ?? tracking_company
  if (carrier.toLowerCase() === tracking_company.toLowerCase()) return { tracking_company, tracking_template }
  return { tracking_company: carrier, tracking_template: templateOf(carrier) }
}

/** The fulfillment after a change of the order. If it is not shipped yet and is empty now, it is no longer shown. */
export function followOrder(fulfillment: FulfillmentState, order: OrderState, now: Date): FulfillmentState {
  const isEmpty = fulfillment.lines.every(({ quantity }) => quantity === 0)
  const cancelled =
    fulfillment.cancelled || order.cancelled_at !== null || (fulfillment.status === NOT_SHIPPED && isEmpty)
  return { ...fulfillment, cancelled, updated_at: now }
}

/** The companies that see a fulfillment, ordered by id: the owner and the company that ships. */
export function seenBy({ company_id, partner_id }: Pick<FulfillmentState, 'company_id' | 'partner_id'>): number[] {
  return partner_id === null ? [company_id] : [company_id, partner_id].sort((one, other) => one - other)
}
