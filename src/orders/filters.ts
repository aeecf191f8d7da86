import { type SelectQueryBuilder, sql } from 'kysely'
import type { DB } from '#platform/db/types.gen.ts'
import { readTime } from '#platform/wire.ts'
import { firstIdSince, lastIdUntil } from './counts/queries.ts'
import type { OrderFilters } from './schema.ts'

export type CountFilters = OrderFilters & { since_id?: number }

type Rows = SelectQueryBuilder<DB, 'orders', object>

/** How a filter narrows the rows. Its values are passed on as they are: the statement is built once and kept. */
type Filter = (rows: Rows, company: never, ...values: never[]) => Rows

/** By no index: PostgreSQL would read and sort all orders of a time for the first page of them. */
const createdAt = sql<Date>`(orders.created_at - interval '0')`

/**
 * Rows come by id, and the days that are asked for bound the ids: without that, PostgreSQL would walk through all orders
 * before the first one of a time, or sort all those after it.
 */
const FILTERS = {
  since_id: (rows, _company, id) => rows.where('orders.id', '>', id),
  ids: (rows, _company, ids) => rows.where('orders.id', '=', sql<number>`any(${ids}::bigint[])`),
  created_at_min: (rows, company, time) =>
    rows.where(createdAt, '>=', time).where('orders.id', '>=', firstIdSince(company, time)),
  created_at_max: (rows, company, time) =>
    rows.where(createdAt, '<=', time).where('orders.id', '<=', lastIdUntil(company, time)),
  financial_status: (rows, _company, status) => rows.where('orders.financial_status', '=', status),
  fulfillment_status: (rows, _company, status) => rows.where('orders.fulfillment_status', '=', status),
  not_shipped: (rows) => rows.where('orders.fulfillment_status', 'is', null),
  customer_token: (rows, _company, token) =>
    rows.where('orders.customer_token', '=', sql<string>`upper(${token}::text)`),
  // Found first and apart, in the words of their index: beside the order by id, PostgreSQL would walk through all orders.
  changed_since: (rows, company, time) =>
    rows.where(
      'orders.id',
      '=',
      sql<number>`any(array(select changed.id from orders as changed where changed.company_id = ${company}
        and tstzrange(changed.created_at, changed.updated_at, '(]') @> ${time}::timestamptz
        and changed.updated_at > changed.created_at))`,
    ),
} satisfies Record<string, Filter>

type Given = { filter: keyof typeof FILTERS; values: unknown[] }

/** What a caller asks for, as a name that stands for the statement, the values in it, and the way to build it. */
export function readFilters(filters: CountFilters) {
  const given = readPlain(filters)
  const since = filters.updated_at_min === undefined ? [] : [readTime(filters.updated_at_min)]
  return {
    name: [...given.map(({ filter }) => filter), ...(since.length > 0 ? ['updated'] : [])].join(' '),
    values: [...given.flatMap(({ values }) => values), ...since],
    /** What was changed since a time was made since then, or was made before and changed: each is found by its own key. */
    narrow: <Narrowed extends Rows>(rows: Narrowed, company: never, values: never[]): Narrowed[] => {
      const rest = [...values]
      const apply = (narrowed: Rows, { filter, values }: Given) => {
        const narrow: Filter = FILTERS[filter]
        return narrow(narrowed, company, ...rest.splice(0, values.length))
      }
      const plain = given.reduce<Rows>(apply, rows)
      const [time] = rest
      const narrowed =
        time === undefined
          ? [plain]
          : [FILTERS.created_at_min(plain, company, time), FILTERS.changed_since(plain, company, time)]
      return narrowed as Narrowed[]
    },
  }
}

function readPlain(filters: CountFilters): Given[] {
  const given: Given[] = []
  const { ids, since_id, created_at_min, created_at_max, financial_status, fulfillment_status, customer_token } =
    filters
  if (since_id !== undefined) given.push({ filter: 'since_id', values: [since_id] })
  if (ids !== undefined) given.push({ filter: 'ids', values: [readIds(ids)] })
  if (created_at_min !== undefined) given.push({ filter: 'created_at_min', values: [readTime(created_at_min)] })
  if (created_at_max !== undefined) given.push({ filter: 'created_at_max', values: [readTime(created_at_max)] })
  if (isAsked(financial_status)) given.push({ filter: 'financial_status', values: [financial_status] })
  if (fulfillment_status === 'null') given.push({ filter: 'not_shipped', values: [] })
  else if (isAsked(fulfillment_status)) given.push({ filter: 'fulfillment_status', values: [fulfillment_status] })
  if (customer_token !== undefined) given.push({ filter: 'customer_token', values: [customer_token] })
  return given
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
