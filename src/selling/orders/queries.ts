import { type RawBuilder, sql } from 'kysely'
import { lockBuyer, type OwnCustomer } from '#people/customers/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf, condition, type Row } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily, type Value } from '#platform/db/prepared.ts'
import { sameBytes } from '#platform/identity/crypto.ts'
import { readTime } from '#platform/wire/times.ts'
import { lockDiscountCodes } from '#selling/discount-codes/queries.ts'
import { readCount } from './counts/queries.ts'
import { orderNotFound } from './errors.ts'
import { type CountFilters, type GivenOrderFilters, isAsked, narrowOrders, readFilters } from './filters.queries.ts'
import { readShipments } from './fulfillments/queries.ts'
import type { RefundState } from './refunds/state.ts'
import { fulfillmentStatus, isShipped, MANUAL, type OrderParts, readOrderPath, wholeDocument } from './rules.ts'
import type { OrderFilters } from './schema.ts'
import type { OrderLineState, OrderRow, OrderState, StoredFulfillmentStatus } from './state.ts'

export const ORDERS = 'orders'

/** Every read of orders starts here, so none can forget the company. */
export function ordersOf(db: Db, companyId: number) {
  return db.selectFrom('orders').where('orders.company_id', '=', companyId)
}

/**
 * The customer as the company has it now, or the copy in the order if the company has removed the customer. A
 * sub-select runs only for the rows of the page, even if many more have to be sorted first.
 */
const customer = sql<Row<'orders'>['document']>`coalesce((select relation.document from customer_relations as relation
  where relation.company_id = orders.company_id and relation.customer_id = orders.customer_id), orders.buyer)`

function withCustomer(orders: ReturnType<typeof ordersOf>) {
  return orders.select(['orders.id', 'orders.document', customer.as('customer')])
}

const isId = (ref: string) => /^\d{1,15}$/.test(ref)

const documentById = prepare((db: Db, companyId: number, id: number) =>
  withCustomer(ordersOf(db, companyId).where('orders.id', '=', id)).compile(),
)

/** The document of an order; another company's is not found. */
export async function getOrderDocument(db: Db, companyId: number, ref: string): Promise<string> {
  if (!isId(ref)) throw orderNotFound(ref)
  const [order] = await documentById(db, companyId, Number(ref))
  if (order === undefined) throw orderNotFound(ref)
  return wholeDocument(order)
}

const listed = prepareList(
  (db: Db, { company, ...filters }: GivenOrderFilters & { company: number }) => {
    const [first, second, ...others] = narrowOrders(ordersOf(db, company), company, filters)
    return second === undefined
      ? withCustomer(first)
      : [withCustomer(first), withCustomer(second), ...others.map(withCustomer)]
  },
  { created_at: { value: sql`orders.created_at`, type: 'timestamptz' } },
)

export function listOrders(db: Db, companyId: number, filters: OrderFilters): RowList<OrderParts> {
  return listed(db, { ...readFilters(filters, companyId), company: companyId })
}

const idsOfCustomer = prepareList((db: Db, { company, token }: { company: number; token: string }) =>
  ordersOf(db, company).where('orders.customer_token', '=', token).select('orders.id'),
)

/** The ids of the orders of a customer, for what is read beside their documents. */
export function listOrderIds(db: Db, companyId: number, customerToken: string): RowList<{ id: number }> {
  return idsOfCustomer(db, { company: companyId, token: customerToken })
}

const counted = prepareFamily((db: Db, filters: GivenOrderFilters, companyId: number) => {
  const [first, ...others] = narrowOrders(ordersOf(db, companyId), companyId, filters, true)
  const ids = (rows: typeof first) => rows.select('orders.id')
  return db
    .selectFrom(others.reduce((all, rows) => all.unionAll(ids(rows)), ids(first)).as('found'))
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile()
})

/** For time and status the stored counts are used; for other filters an index is. */
export async function countOrders(db: Db, companyId: number, filters: CountFilters): Promise<number> {
  const { created_at_min, created_at_max, status, financial_status, fulfillment_status, ...others } = filters
  if (Object.keys(others).length === 0 && !isAsked(status) && fulfillment_status !== 'unshipped') {
    const statuses = {
      financial: isAsked(financial_status) ? financial_status : undefined,
      fulfillment: isAsked(fulfillment_status)
        ? fulfillment_status === 'null'
          ? null
          : fulfillment_status
        : undefined,
    }
    const time = (text: string | undefined) => (text === undefined ? undefined : readTime(text))
    return readCount(db, companyId, statuses, time(created_at_min), time(created_at_max))
  }
  const [row] = await counted(db, readFilters(filters, companyId), companyId)
  return row?.count ?? 0
}

const firstPaid = prepare((db: Db, companyId: number) =>
  ordersOf(db, companyId)
    .where('orders.financial_status', 'in', ['paid', 'partially_refunded', 'refunded'])
    .select('orders.id')
    .limit(1)
    .compile(),
)

/** Has anybody paid an order of the company, a test or not? */
export async function hasPaidOrder(db: Db, companyId: number): Promise<boolean> {
  return (await firstPaid(db, companyId)).length > 0
}

/** The whole order, or 404. */
export async function getOrder(db: Db, companyId: number, ref: string): Promise<OrderState> {
  const [order] = isId(ref) ? await readOrders(db, companyId, [Number(ref)]) : []
  if (order === undefined) throw orderNotFound(ref)
  return order
}

/** Locks the order until the transaction ends and reads all of it: do this before deciding on a change. */
export async function lockOrder(tx: Tx, companyId: number, ref: string): Promise<OrderState> {
  const [order] = isId(ref) ? await lockOrders(tx, companyId, [Number(ref)]) : []
  if (order === undefined) throw orderNotFound(ref)
  return order
}

/**
 * lockOrder together with the discount codes and the customer, if the company still has the customer. They are locked
 * in the same order as by a sale, so that a sale and a refund cannot deadlock.
 */
export async function lockSale(
  tx: Tx,
  companyId: number,
  ref: string,
): Promise<{ order: OrderState; customer: OwnCustomer | undefined }> {
  const [seen] = isId(ref) ? await readOrders(tx, companyId, [Number(ref)]) : []
  if (seen === undefined) throw orderNotFound(ref)
  await lockDiscountCodes(
    tx,
    companyId,
    seen.discount_codes.map(({ code }) => code),
  )
  const customer = await lockBuyer(tx, companyId, 'token', seen.customer_token)
  return { order: await lockOrder(tx, companyId, ref), customer }
}

/** Orders of all companies that could not be converted when they were sold and may be now, after one of them. */
export function readAwaitingRates(
  db: Db,
  after: { company_id: number; id: number },
  limit: number,
): Promise<{ company_id: number; id: number }[]> {
  return db
    .selectFrom('orders')
    .select(['company_id', 'id'])
    .where(condition`awaits_rate`)
    .where('currency', 'in', (select) => select.selectFrom('currency_rates').select('currency'))
    .where(condition`(company_id, id) > (${after.company_id}, ${after.id})`)
    .orderBy('company_id')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** In the text of the statement, because the index of these orders has it in its condition. */
const isPending = condition`financial_status = 'pending'`

/** Orders of all companies, or of one only, whose customers have not paid since before a time, after one of them. Bills are left out. */
export function readUnpaid(
  db: Db,
  before: Date,
  after: { company_id: number; id: number },
  limit: number,
  only?: number,
): Promise<{ company_id: number; id: number }[]> {
  return db
    .selectFrom('orders')
    .select(['company_id', 'id'])
    .where(isPending)
    .where('cancelled_at', 'is', null)
    .where('gateway', '<>', MANUAL.gateway)
    .where('subscription_id', 'is', null)
    .where('created_at', '<', before)
    .$if(only !== undefined, (rows) => rows.where('company_id', '=', only ?? 0))
    .where(condition`(company_id, id) > (${after.company_id}, ${after.id})`)
    .orderBy('company_id')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Bills of all companies, or of one only, that nobody has paid since before a time, after one of them. */
export function readUnpaidBills(
  db: Db,
  before: Date,
  after: { company_id: number; id: number },
  limit: number,
  only?: number,
): Promise<{ company_id: number; id: number }[]> {
  return db
    .selectFrom('orders')
    .select(['company_id', 'id'])
    .where(isPending)
    .where('cancelled_at', 'is', null)
    .where('gateway', '=', sql.lit(MANUAL.gateway))
    .where('subscription_id', 'is', null)
    .where('created_at', '<=', before)
    .$if(only !== undefined, (rows) => rows.where('company_id', '=', only ?? 0))
    .where(condition`(company_id, id) > (${after.company_id}, ${after.id})`)
    .orderBy('company_id')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * lockOrder for many; those that do not exist are left out. The reads leave together with the lock, and see what whoever had it
 * before has written: each statement has a snapshot of its own, which is taken when the one before has ended.
 */
export async function lockOrders(tx: Tx, companyId: number, ids: number[]): Promise<OrderState[]> {
  const [only] = ids
  const isOne = only !== undefined && ids.length === 1
  const [, orders] = await Promise.all([
    isOne ? lockingOne(tx, companyId, only) : lockingMany(tx, companyId, ids),
    readOrders(tx, companyId, ids),
  ])
  return orders
}

const lockingOne = prepare((tx: Tx, companyId: number, id: number) =>
  ordersOf(tx, companyId).select('orders.id').where('orders.id', '=', id).forNoKeyUpdate().compile(),
)

const lockingMany = prepare((tx: Tx, companyId: number, ids: number[]) =>
  ordersOf(tx, companyId)
    .select('orders.id')
    .where('orders.id', '=', anyOf(ids))
    .orderBy('orders.id')
    .forNoKeyUpdate()
    .compile(),
)

/** The columns of orders whose types PostgreSQL does not know: JSON, and texts that are one of a few. */
type OrderColumns = { fulfillment_status: StoredFulfillmentStatus } & Pick<
  OrderRow,
  'financial_status' | 'visit' | 'tax_lines' | 'discount_codes' | 'shipping_lines' | 'shipping_address' | 'withdrawal'
>

const standingOf = prepare((db: Db, companyId: number, id: number) =>
  ordersOf(db, companyId)
    .where('orders.id', '=', id)
    .select(['orders.financial_status', 'orders.cancelled_at'])
    .$narrowType<Pick<OrderState, 'financial_status'>>()
    .compile(),
)

/** Is an order paid or cancelled? Undefined if there is none. */
export async function findStanding(db: Db, companyId: number, id: number) {
  const [standing] = await standingOf(db, companyId, id)
  return standing
}

const partsOf = <Ids extends Value>(match: (ids: Ids) => RawBuilder<number>) => ({
  rows: prepare((db: Db, companyId: number, ids: Ids) =>
    ordersOf(db, companyId)
      .selectAll()
      .$narrowType<OrderColumns>()
      .where('orders.id', '=', match(ids))
      .orderBy('orders.id')
      .compile(),
  ),
  lines: prepare((db: Db, companyId: number, ids: Ids) =>
    db
      .selectFrom('order_lines')
      .selectAll()
      .$narrowType<Pick<OrderLineState, 'kind'>>()
      .where('company_id', '=', companyId)
      .where('order_id', '=', match(ids))
      .orderBy('position')
      .compile(),
  ),
  refunds: prepare((db: Db, companyId: number, ids: Ids) =>
    db
      .selectFrom('refunds')
      .selectAll()
      .$narrowType<Pick<RefundState, 'source_name' | 'status' | 'lines'>>()
      .where('company_id', '=', companyId)
      .where('order_id', '=', match(ids))
      .orderBy('id')
      .compile(),
  ),
})

/** PostgreSQL plans a comparison with one id once, and one with a list of ids at each use. */
const [ofOne, ofMany] = [partsOf((id: number) => sql.val(id)), partsOf(anyOf)]

/** Orders with all their parts, one statement per table; those that do not exist are left out. */
export async function readOrders(db: Db, companyId: number, ids: number[]): Promise<OrderState[]> {
  const [only = 0] = ids
  const isOne = ids.length === 1
  const [rows, lines, refunds, shipments] = await Promise.all([
    isOne ? ofOne.rows(db, companyId, only) : ofMany.rows(db, companyId, ids),
    isOne ? ofOne.lines(db, companyId, only) : ofMany.lines(db, companyId, ids),
    isOne ? ofOne.refunds(db, companyId, only) : ofMany.refunds(db, companyId, ids),
    readShipments(db, companyId, ids),
  ])
  const linesOf = Map.groupBy(lines, ({ order_id }) => order_id)
  const refundsOf = Map.groupBy(refunds, ({ order_id }) => order_id)
  return rows.map(({ document: _document, ...row }) => {
    const parts = {
      lines: linesOf.get(row.id) ?? [],
      refunds: refundsOf.get(row.id) ?? [],
      shipments: shipments.get(row.id) ?? [],
    }
    const { fulfillment_status: stored } = row
    return {
      ...row,
      ...parts,
      fulfillment_status:
        stored === 'cancelled' ? fulfillmentStatus({ ...row, ...parts, isShipped: isShipped(parts) }) : stored,
    }
  })
}

/** An order of a shop, by the secret address of its page; undefined if there is none. */
export async function findOrderByPath(
  db: Db,
  companyId: number,
  shopId: number,
  ref: string,
): Promise<OrderState | undefined> {
  const path = readOrderPath(ref)
  if (path === undefined) return undefined
  const [order] = await readOrders(db, companyId, [Number(path.id)])
  const isRight =
    order?.theme_setting_id === shopId && sameBytes(Buffer.from(order.checkout_token), Buffer.from(path.token))
  return isRight ? order : undefined
}

/** The ids of orders after one id, in order. */
export async function readOrderIds(db: Db, companyId: number, after: number, limit: number): Promise<number[]> {
  const rows = await ordersOf(db, companyId)
    .select('orders.id')
    .where('orders.id', '>', after)
    .orderBy('orders.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The id of the newest order of a company; undefined if there is none. */
export async function findNewestOrderId(db: Db, companyId: number): Promise<number | undefined> {
  const newest = await ordersOf(db, companyId)
    .select('orders.id')
    .orderBy('orders.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.id
}
