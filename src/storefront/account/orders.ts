import type { SignedInCustomer } from '#customers/sessions/state.ts'
import { countOrders, readLatestOrderIds, readOrders } from '#orders/queries.ts'
import { orderName } from '#orders/rules.ts'
import type { OrderState } from '#orders/state.ts'
import type { Db } from '#platform/db/database.ts'

const PAGE = 50

const isOrderId = (ref: string) => /^\d{1,15}$/.test(ref)

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

/** What the customer has ordered from the company: one page, latest first, and where the next page begins. */
export async function readOwnOrders(
  db: Db,
  companyId: number,
  { token }: SignedInCustomer,
  { after = '', limit = PAGE }: { after?: string; limit?: number } = {},
): Promise<{ orders: ShownOrder[]; next: number | undefined }> {
  const before = isOrderId(after) ? Number(after) : Number.MAX_SAFE_INTEGER
  const ids = await readLatestOrderIds(db, companyId, token, { before, limit: limit + 1 })
  const page = ids.slice(0, limit)
  const orders = await readOrders(db, companyId, page)
  return { orders: orders.reverse().map(shown), next: ids.length > limit ? page.at(-1) : undefined }
}

export function countOwnOrders(db: Db, companyId: number, { token }: SignedInCustomer): Promise<number> {
  return countOrders(db, companyId, { customer_token: token })
}

/** One of the customer's orders; undefined if it is somebody else's. */
export async function findOwnOrder(
  db: Db,
  companyId: number,
  customer: SignedInCustomer,
  ref: string,
): Promise<ShownOrder | undefined> {
  const [order] = isOrderId(ref) ? await readOrders(db, companyId, [Number(ref)]) : []
  return order?.customer_token === customer.token ? shown(order) : undefined
}
