import type { SignedInCustomer } from '#people/customers/sessions/state.ts'
import type { Db } from '#platform/db/database.ts'
import { readLatestOrderIds } from '#selling/orders/buyers/queries.ts'
import { countOrders, readOrders } from '#selling/orders/queries.ts'
import { orderName, orderPath } from '#selling/orders/rules.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { type Reader as CatalogReader, type Part, titleOfSold } from '#shop/catalog-pages/cards.present.ts'
import { readParts } from '#shop/catalog-pages/parts.queries.ts'
import type { ShopVisit } from '#shop/site/state.ts'

type Reader = CatalogReader & Pick<ShopVisit, 'shop'>

const PAGE = 50

const isOrderId = (ref: string) => /^\d{1,15}$/.test(ref)

/** An order as its customer sees it. Amounts are in cents. */
function shown(order: OrderState, parts: ReadonlyMap<string, Part>, shopId: number) {
  const status = order.cancelled_at === null ? order.financial_status : 'cancelled'
  return {
    id: order.id,
    name: orderName(order.id),
    created_at: order.created_at,
    status,
    /** Where the customer pays; an order has its page in the shop where it was placed. */
    pay_path: status === 'pending' && order.theme_setting_id === shopId ? `/orders/${orderPath(order)}` : undefined,
    currency: order.currency,
    total_cents: order.total_cents,
    tax_cents: order.tax_cents,
    discount_cents: order.discount_cents,
    refunded_cents: order.refunded_cents,
    has_goods: order.lines.some(({ kind }) => kind === 'physical'),
    lines: order.lines.map(({ product_id, title, quantity, license_title, net_cents, tax_cents, credit_cents }) => ({
      title: titleOfSold(title, parts.get(product_id)),
      quantity,
      license: license_title ?? '',
      total_cents: net_cents + tax_cents,
      /** What was paid for a rental of the same content and is credited. */
      credit_cents,
    })),
    shipping: order.shipping_lines.map(({ title, price }) => ({ title, total_cents: price })),
  }
}

export type ShownOrder = ReturnType<typeof shown>

/** Orders with the titles of their products as the visitor reads them. */
async function show(db: Db, companyId: number, orders: readonly OrderState[], visit: Reader): Promise<ShownOrder[]> {
  const ids = orders.flatMap(({ lines }) => lines.map(({ product_id }) => product_id))
  const parts = await readParts(db, companyId, ids, visit)
  return orders.map((order) => shown(order, parts, visit.shop.id))
}

/** What the customer has ordered from the company: one page, latest first, and where the next page begins. */
export async function readOwnOrders(
  db: Db,
  companyId: number,
  { token }: SignedInCustomer,
  visit: Reader,
  { after = '', limit = PAGE }: { after?: string; limit?: number } = {},
): Promise<{ orders: ShownOrder[]; next: number | undefined }> {
  const before = isOrderId(after) ? Number(after) : Number.MAX_SAFE_INTEGER
  const ids = await readLatestOrderIds(db, companyId, token, { before, limit: limit + 1 })
  const page = ids.slice(0, limit)
  const orders = await readOrders(db, companyId, page)
  return {
    orders: await show(db, companyId, orders.reverse(), visit),
    next: ids.length > limit ? page.at(-1) : undefined,
  }
}

export function countOwnOrders(db: Db, companyId: number, { token }: SignedInCustomer): Promise<number> {
  return countOrders(db, companyId, { customer_token: token })
}

/** One of the customer's orders; undefined if it is somebody else's. */
export async function findOwnOrder(
  db: Db,
  companyId: number,
  customer: SignedInCustomer,
  visit: Reader,
  ref: string,
): Promise<ShownOrder | undefined> {
  const orders = isOrderId(ref) ? await readOrders(db, companyId, [Number(ref)]) : []
  const own = orders.filter(({ customer_token }) => customer_token === customer.token)
  const [order] = await show(db, companyId, own, visit)
  return order
}
