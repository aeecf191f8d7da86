import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { productsTitled } from '#catalog/products/sale/titles.queries.ts'
import { queryFor } from '#catalog/products/search/terms.rules.ts'
import { type CustomerWords, idsFitting, readWords } from '#people/accounts/search.queries.ts'
import { anyOf, condition, type Row } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import type { DB } from '#platform/db/types.gen.ts'
import { readTime } from '#platform/wire/times.ts'
import { firstIdSince, lastIdUntil } from './counts/queries.ts'
import { idsToShip } from './fulfillments/queries.ts'
import type { OrderFilters } from './schema.ts'

export type CountFilters = OrderFilters & { since_id?: number }

type Rows = SelectQueryBuilder<DB, 'orders', object>

/** Keeps PostgreSQL from using the index, for which it would read and sort all orders of a period for one page. */
const createdAt = sql<Row<'orders'>['created_at']>`(orders.created_at - interval '0')`

type GivenFilters = Optional<{
  since_id: number
  ids: number[]
  created_at_min: Date
  created_at_max: Date
  financial_status: string
  fulfillment_status: string
  is_unshipped: true
  is_to_ship: true
  is_open: true
  is_closed: true
  is_cancelled: true
  customer_token: string
  discount_code_id: number
}>

/** What somebody typed to find orders: a number, what their customers are called, or a title of their lines. */
type Wanted = CustomerWords & Optional<{ number: string; titles: string }>

/** The filters of a list or count, as the values of its statement. */
export type GivenOrderFilters = GivenFilters &
  Wanted & { updated_at_min?: Date | undefined; product_id?: string | undefined }

/** The ids are found first, each with its index. In one condition, PostgreSQL would read all orders of the company. */
const isAmong = (ids: RawBuilder<unknown>) => condition`orders.id = any(array(${ids}))`

/** Orders that have a number, their own or one that somebody gave them. */
function idsNumbered(companyId: number, number: string): RawBuilder<unknown> {
  const numbered = (column: 'order_number' | 'po_number') =>
    sql`select numbered.id from orders as numbered where numbered.company_id = ${companyId}
      and ${sql.ref(`numbered.${column}`)} <> '' and lower(${sql.ref(`numbered.${column}`)}) = lower(${number}::text)`
  return sql`${numbered('order_number')} union ${numbered('po_number')}
    union select typed.id from (select case when ${number}::text ~ '^[0-9]{1,15}$' then ${number}::text::bigint end as id) as typed
      where typed.id is not null`
}

/** Orders that used a discount code. The condition is written exactly as in the partial index, or PostgreSQL would not use it. */
function idsDiscounted(companyId: number, id: number): RawBuilder<unknown> {
  return sql`select used.id from orders as used where used.company_id = ${companyId} and used.discount_codes::text <> '[]'
    and exists (select from json_array_elements(used.discount_codes) as code where (code ->> 'id')::bigint = ${id}::bigint)`
}

/** Up to so many customers, their orders are read from the index and sorted. */
const FEW = 300

const tokensOf = (ids: RawBuilder<unknown>) =>
  sql`select customers.token from customers where customers.id = any(array(${ids}))`

const areFew = (ids: RawBuilder<unknown>) => condition`(select count(*) from (${ids}) as found) <= ${sql.lit(FEW)}`

/**
 * Orders of the customers with these ids. Those of a few are found in the index, before the orders. Those of many, as somebody finds who types the
 * first letters of a name, are everywhere: PostgreSQL goes through the orders, and compares each with a table in memory, which
 * it makes of a sub-select that it cannot turn into a join. It runs one of the two, because the other one begins with a
 * condition that is false.
 */
function ordersOfBuyers(rows: Rows, companyId: number, ids: RawBuilder<unknown>): [Rows, Rows] {
  const found = sql`select bought.id from orders as bought
    where bought.company_id = ${companyId} and bought.customer_token = any(array(${tokensOf(ids)}))`
  return [
    rows.where(areFew(ids)).where(isAmong(found)),
    rows
      .where(condition`not ${areFew(ids)}`)
      .where(condition`case when orders.customer_token in (${tokensOf(ids)}) then true else false end`),
  ]
}

/** Only what has an at sign is no number and no title. */
function readWanted(companyId: number, typed = ''): Wanted {
  const text = typed.trim()
  if (text === '') return {}
  if (text.includes('@')) return readWords(text)
  return { ...readWords(text), number: text.replace(/^#/, ''), titles: queryFor(companyId, text) }
}

/** Up to so many lines, their orders are read and sorted. */
const FEW_LINES = 3000

const areFewLines = (lines: RawBuilder<unknown>) =>
  condition`(select count(*) from (select 1 ${lines} limit ${sql.lit(FEW_LINES + 1)}) as found) <= ${sql.lit(FEW_LINES)}`

/**
 * Orders with a line of this title. Titles that are sold rarely lead to their lines. Those that are sold often are met on the
 * way through the orders, each with a look at its lines; `case` keeps PostgreSQL from reading all lines first. A count reads
 * them all anyway.
 */
function ordersTitled(rows: Rows, companyId: number, query: string, isCounted: boolean): [Rows, Rows] {
  const products = productsTitled(companyId, query)
  const lines = sql`from order_lines as line
    where line.company_id = ${companyId} and line.product_id = any(array(${products}))`
  const areFew = areFewLines(lines)
  const hasLine = sql`exists (select from order_lines as line where line.company_id = ${companyId}
    and line.order_id = orders.id and line.product_id in (${products}))`
  const isTitled = isCounted
    ? condition`orders.id in (select line.order_id ${lines})`
    : condition`case when ${hasLine} then true else false end`
  return [
    rows.where(areFew).where(isAmong(sql`select line.order_id ${lines}`)),
    rows.where(condition`not ${areFew}`).where(isTitled),
  ]
}

/**
 * Orders that somebody looks for: by their number, their customer or the title of a line. The parts exclude each other, so that no
 * order is found twice.
 */
function ordersWanted(
  rows: Rows,
  companyId: number,
  { number, titles, ...words }: Wanted,
  isCounted: boolean,
): [Rows, ...Rows[]] {
  const buyers = idsFitting(companyId, words)
  if (number === undefined) return buyers === undefined ? [rows] : ordersOfBuyers(rows, companyId, buyers)
  const numbered = isAmong(idsNumbered(companyId, number))
  const others = rows.where(condition`not ${numbered}`)
  const ofBuyers = buyers === undefined ? [] : ordersOfBuyers(others, companyId, buyers)
  if (titles === undefined) return [rows.where(numbered), ...ofBuyers]
  const ofOthers =
    buyers === undefined
      ? others
      : others.where(condition`case when orders.customer_token in (${tokensOf(buyers)}) then false else true end`)
  return [rows.where(numbered), ...ofBuyers, ...ordersTitled(ofOthers, companyId, titles, isCounted)]
}

/**
 * Orders with a product. One that is sold rarely is found by its lines; one that is sold often is met on the way through the orders,
 * from the newest that has it.
 */
function ordersWithProduct(rows: Rows, companyId: number, productId: string): [Rows, Rows] {
  const lines = sql`from order_lines as line
    where line.company_id = ${companyId} and line.product_id = upper(${productId}::text)`
  const areFew = areFewLines(lines)
  return [
    rows.where(areFew).where(isAmong(sql`select line.order_id ${lines}`)),
    rows
      .where(condition`not ${areFew}`)
      .where(condition`orders.id <= (select max(line.order_id) ${lines})`)
      .where(condition`orders.id in (select line.order_id ${lines})`),
  ]
}

/**
 * Rows come by id, and the requested days limit the ids. Without that, PostgreSQL would scan all orders before the
 * first one of the period, or sort all orders after it.
 */
const filtersOf = (companyId: number): Filters<Rows, GivenFilters> => ({
  since_id: (rows, id) => rows.where('orders.id', '>', id),
  ids: (rows, ids) => rows.where('orders.id', '=', anyOf(ids)),
  created_at_min: (rows, time) =>
    rows.where(createdAt, '>=', time).where('orders.id', '>=', firstIdSince(companyId, time)),
  created_at_max: (rows, time) =>
    rows.where(createdAt, '<=', time).where('orders.id', '<=', lastIdUntil(companyId, time)),
  financial_status: (rows, status) => rows.where('orders.financial_status', '=', status),
  fulfillment_status: (rows, status) => rows.where('orders.fulfillment_status', '=', status),
  is_unshipped: (rows) => rows.where('orders.fulfillment_status', 'is', null),
  is_to_ship: (rows) => rows.where(isAmong(idsToShip(companyId))).where('orders.financial_status', '<>', 'pending'),
  is_open: (rows) => rows.where('orders.closed_at', 'is', null).where('orders.cancelled_at', 'is', null),
  is_closed: (rows) => rows.where('orders.closed_at', 'is not', null).where('orders.cancelled_at', 'is', null),
  is_cancelled: (rows) => rows.where('orders.cancelled_at', 'is not', null),
  customer_token: (rows, token) => rows.where('orders.customer_token', '=', sql<string>`upper(${token}::text)`),
  discount_code_id: (rows, id) => rows.where(isAmong(idsDiscounted(companyId, id))),
})

/**
 * The ids are found first, with the expression of their index. In one query with `order by id`, PostgreSQL would scan
 * all orders.
 */
const changedSince = (rows: Rows, companyId: number, time: Date) =>
  rows.where(
    'orders.id',
    '=',
    sql<number>`any(array(select changed.id from orders as changed where changed.company_id = ${companyId}
      and tstzrange(changed.created_at, changed.updated_at, '(]') @> ${time}::timestamptz
      and changed.updated_at > changed.created_at))`,
  )

/**
 * Orders changed since a time are those created since then, and older ones that were changed. Each part has its own
 * index.
 */
export function narrowOrders(
  rows: Rows,
  companyId: number,
  { updated_at_min, product_id, ...filtered }: GivenOrderFilters,
  isCounted = false,
): [Rows, ...Rows[]] {
  const { number, titles, name, otherName, thirdName, wholeName, address, ...given } = filtered
  const wanted = { number, titles, name, otherName, thirdName, wholeName, address }
  const filters = filtersOf(companyId)
  const chosen = narrow(rows, filters, given)
  const split = (rows: [Rows, ...Rows[]], into: (each: Rows) => [Rows, Rows]): [Rows, ...Rows[]] => {
    const [first, ...others] = rows
    return [...into(first), ...others.flatMap(into)]
  }
  const found = ordersWanted(chosen, companyId, wanted, isCounted)
  const withProduct =
    product_id === undefined ? found : split(found, (each) => ordersWithProduct(each, companyId, product_id))
  if (updated_at_min === undefined) return withProduct
  return split(withProduct, (each) => [
    filters.created_at_min(each, updated_at_min),
    changedSince(each, companyId, updated_at_min),
  ])
}

export function readFilters(filters: CountFilters, companyId: number): GivenOrderFilters {
  const { ids, since_id, status, financial_status, fulfillment_status, customer_token, product_id, discount_code_id } =
    filters
  const isUnshipped = fulfillment_status === 'null'
  const isToShip = fulfillment_status === 'unshipped'
  return {
    since_id,
    ids: ids === undefined ? undefined : readIds(ids),
    created_at_min: readTime(filters.created_at_min),
    created_at_max: readTime(filters.created_at_max),
    financial_status: isAsked(financial_status) ? financial_status : undefined,
    fulfillment_status: isAsked(fulfillment_status) && !isUnshipped && !isToShip ? fulfillment_status : undefined,
    is_unshipped: isUnshipped || undefined,
    is_to_ship: isToShip || undefined,
    is_open: status === 'open' || undefined,
    is_closed: status === 'closed' || undefined,
    is_cancelled: status === 'cancelled' || undefined,
    customer_token,
    product_id,
    discount_code_id,
    ...readWanted(companyId, filters.q),
    updated_at_min: readTime(filters.updated_at_min),
  }
}

export function isAsked(status: string | undefined): status is string {
  return status !== undefined && status !== 'any'
}

function readIds(ids: string): number[] {
  return ids
    .split(',')
    .map((id) => id.trim())
    .filter((id) => /^\d{1,15}$/.test(id))
    .map(Number)
}
