import type { Use } from '#catalog/products/types.facts.ts'
import type { Db } from '#platform/db/database.ts'
import { getGrant } from '#rights/content-files/delivery/queries.ts'
import { readOfOrder } from '#rights/entitlements/queries.ts'
import { readFulfillments } from '#selling/orders/fulfillments/queries.ts'
import { SHIPPED } from '#selling/orders/fulfillments/rules.ts'
import { nextOf } from '#selling/orders/mails/rules.ts'
import { orderPath } from '#selling/orders/rules.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { trackingUrl } from '#selling/shipping-methods/rules.ts'
import { placeToUse } from '#shop/library/my-content/library.present.ts'
import type { ShopVisit } from '#shop/site/state.ts'

/** The obvious next thing to do with what was bought. */
export type NextStep = {
  /** The last part of a key below `checkout.use`. */
  use: Use
  title: string
  /** Where it is done; below the address of the shop. */
  path: string
  /** Does a press of the button start it, so that it is sent as a form? */
  is_form: boolean
}

/** The first thing of an order that can be used now. Whoever has bought it here starts it with one press. */
export async function findNextStep(
  db: Db,
  order: OrderState,
  visit: ShopVisit,
  now: Date,
): Promise<NextStep | undefined> {
  const owned = await readOfOrder(db, order.company_id, order.id)
  const { first } = nextOf(
    order,
    Map.groupBy(owned, ({ line_id }) => line_id ?? 0),
    now,
  )
  if (first === undefined) return undefined
  const { entitlement, use } = first
  const place = `/my-content/${entitlement.id}`
  const step = { use, title: entitlement.title }
  if (!isLetIn(order, visit)) return { ...step, path: `${place}/open?token=${orderPath(order)}`, is_form: false }
  const viewer = { companyId: order.company_id, customerId: order.customer_id }
  const end = placeToUse(await getGrant(db, viewer, String(entitlement.id)), now)
  return { ...step, path: `${place}${end}`, is_form: end !== '' }
}

/** Is the order open in this browser? Its address may have been passed on. */
function isLetIn(order: OrderState, { customer, guest }: ShopVisit): boolean {
  return customer?.id === order.customer_id || guest?.session.orderIds?.includes(order.id) === true
}

/** Where the goods of an order are. */
export type Parcel = { state: 'preparing' | 'shipped'; tracking_number: string; tracking_url: string }

export async function findParcel(db: Db, order: OrderState): Promise<Parcel | undefined> {
  if (order.lines.every(({ kind }) => kind !== 'physical')) return undefined
  const [parcel] = await readFulfillments(db, order.company_id, [order])
  if (parcel === undefined || parcel.cancelled) return undefined
  const url = trackingUrl(parcel.tracking_template, parcel.tracking_number)
  return {
    state: parcel.status === SHIPPED ? 'shipped' : 'preparing',
    tracking_number: parcel.tracking_number,
    tracking_url: /^https?:\/\//i.test(url) ? url : '',
  }
}
