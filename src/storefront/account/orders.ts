import type { SignedInCustomer } from '#customers/sessions/state.ts'
import { listOrders, readOrders } from '#orders/queries.ts'
import { orderName } from '#orders/rules.ts'
import type { OrderState } from '#orders/state.ts'
import type { Db } from '#platform/db/database.ts'

const LISTED_MAX = 500

/** An order as its customer sees it. Amounts are in cents. */
function shown(order: OrderState) {
  return {
    id: order.id,
    name: order.order_number || orderName(order.id),
    created_at: order.created_at,
    status: order.cancelled_at === null ? order.financial_status : 'cancelled',
    currency: order.currency,
    total_cents: order.total_cents,
    tax_cents: order.tax_cents,
    discount_cents: order.discount_cents,
    refunded_cents: order.refunded_cents,
    has_goods: order.lines.some(({ kind }) => kind === 'physical'),
    lines: order.lines.map(({ title, quantity, license_title, net_cents, tax_cents }) => ({
      ...{ title, quantity, license: license_title ?? '' },
      total_cents: net_cents + tax_cents,
    })),
    shipping: order.shipping_lines.map(({ title, price }) => ({ title, total_cents: price })),
  }
}

export type ShownOrder = ReturnType<typeof shown>

async function readIds(db: Db, companyId: number, { token }: SignedInCustomer): Promise<number[]> {
  const rows = await listOrders(db, companyId, { customer_token: token })({ after: 0, limit: LISTED_MAX, offset: 0 })
  return rows.map(({ id }) => id)
}

/** What the customer has ordered from the company, latest first. */
export async function readOwnOrders(db: Db, companyId: number, customer: SignedInCustomer): Promise<ShownOrder[]> {
  const orders = await readOrders(db, companyId, await readIds(db, companyId, customer))
  return orders.reverse().map(shown)
}

/** One of the customer's orders; undefined if it is somebody else's. */
export async function findOwnOrder(
  db: Db,
  companyId: number,
  customer: SignedInCustomer,
  ref: string,
): Promise<ShownOrder | undefined> {
  const [order] = /^\d{1,15}$/.test(ref) ? await readOrders(db, companyId, [Number(ref)]) : []
  return order?.customer_token === customer.token ? shown(order) : undefined
}
