import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { readCounter } from '#platform/db/counters.ts'
import type { Db } from '#platform/db/database.ts'
import type { DocumentList } from '#platform/db/pages.ts'
import { runPrepared } from '#platform/db/prepared.ts'
import type { DB } from '#platform/db/types.gen.ts'
import { readTime } from '#platform/wire.ts'
import { firstIdSince, lastIdUntil } from '../counts/queries.ts'
import type { OrderState, Shipment } from '../state.ts'
import { fulfillmentNotFound } from './errors.ts'
import { linesToShip, shipmentOf } from './rules.ts'
import type { FulfillmentFilters, FulfillmentStatus } from './schema.ts'
import type { FulfillmentState, ShippedLine } from './state.ts'

export const FULFILLMENTS = 'fulfillments'

/** Every read of fulfillments for their owner starts here, so none can forget the company. */
function fulfillmentsOf(db: Db, companyId: number) {
  return db.selectFrom('fulfillments').where('fulfillments.company_id', '=', companyId)
}

/** Every read for a company that ships for others starts here. Nobody ships for itself, so that none is found twice. */
function fulfillmentsShippedBy(db: Db, partnerId: number) {
  return db.selectFrom('fulfillments').where('fulfillments.partner_id', '=', partnerId)
}

type Rows = SelectQueryBuilder<DB, 'fulfillments', object>

/** In the words of the indexes. */
const shown = <Shown extends Rows>(rows: Shown): Shown =>
  rows.where(sql<SqlBool>`not fulfillments.cancelled`) as unknown as Shown

type Asked = FulfillmentFilters & { status?: FulfillmentStatus; since_id?: number }

/** How a filter narrows the rows. Its value is passed on as it is: the statement is built once and kept. */
const FILTERS = {
  since_id: (rows: Rows, id: never) => rows.where('fulfillments.id', '>', id),
  status: (rows: Rows, status: never) => rows.where('fulfillments.status', '=', status),
  created_at_min: (rows: Rows, time: never) => rows.where('fulfillments.created_at', '>=', time),
  created_at_max: (rows: Rows, time: never) => rows.where('fulfillments.created_at', '<=', time),
}

type Name = keyof typeof FILTERS

/** The days of the owner's orders bound the ids, so that a page of some time is found by key, as it is among orders. */
const BOUNDS: { [Bound in Name]?: (rows: Rows, company: never, time: never) => Rows } = {
  created_at_min: (rows, company, time) => rows.where('fulfillments.id', '>=', firstIdSince(company, time)),
  created_at_max: (rows, company, time) => rows.where('fulfillments.id', '<=', lastIdUntil(company, time)),
}

/** What a caller asks for, as a name that stands for the statement, the values in it, and the way to build it. */
function readFilters({ since_id, status, created_at_min, created_at_max }: Asked) {
  const time = (text: string | undefined) => (text === undefined ? undefined : readTime(text))
  const asked: [Name, unknown][] = [
    ['since_id', since_id],
    ['status', status],
    ['created_at_min', time(created_at_min)],
    ['created_at_max', time(created_at_max)],
  ]
  const given = asked.filter(([, value]) => value !== undefined)
  return {
    name: given.map(([name]) => name).join(' '),
    values: given.map(([, value]) => value),
    narrow: <Narrowed extends Rows>(rows: Narrowed, values: readonly never[]): Narrowed =>
      given.reduce<Rows>((narrowed, [name], index) => FILTERS[name](narrowed, values[index]!), rows) as Narrowed,
    bound: <Bounded extends Rows>(rows: Bounded, company: never, values: readonly never[]): Bounded =>
      given.reduce<Rows>(
        (bounded, [name], index) => BOUNDS[name]?.(bounded, company, values[index]!) ?? bounded,
        rows,
      ) as Bounded,
  }
}

/** Those of a company and those that it ships for others, oldest first. */
export function listFulfillments(
  db: Db,
  companyId: number,
  filters: FulfillmentFilters,
  status?: FulfillmentStatus,
): DocumentList {
  const { name, values, narrow, bound } = readFilters({
    created_at_min: filters.created_at_min,
    created_at_max: filters.created_at_max,
    status,
  })
  return {
    name: `fulfillments ${name}`,
    values: [companyId, ...values],
    rows: (company, ...given) => {
      const columns = ['fulfillments.id', 'fulfillments.document'] as const
      const own = shown(bound(narrow(fulfillmentsOf(db, company), given), company, given))
      return [own.select(columns), shown(narrow(fulfillmentsShippedBy(db, company), given)).select(columns)]
    },
  }
}

/** Without a filter the kept count answers; by anything else an index does. */
export async function countFulfillments(
  db: Db,
  companyId: number,
  filters: FulfillmentFilters & { since_id?: number },
): Promise<number> {
  const { name, values, narrow } = readFilters(filters)
  if (values.length === 0) return readCounter(db, companyId, FULFILLMENTS)
  const [row] = await runPrepared(db, `count fulfillments ${name}`, [companyId, ...values], (company, ...given) => {
    const own = shown(narrow(fulfillmentsOf(db, company), given)).select('fulfillments.id')
    const shipped = shown(narrow(fulfillmentsShippedBy(db, company), given)).select('fulfillments.id')
    return db
      .selectFrom(own.unionAll(shipped).as('found'))
      .select((select) => select.fn.countAll<number>().as('count'))
      .compile()
  })
  return row?.count ?? 0
}

const isId = (ref: string) => /^\d{1,15}$/.test(ref)

/** The document of a fulfillment; what a stranger asks for is as absent as what never was. */
export async function getFulfillmentDocument(db: Db, companyId: number, ref: string): Promise<string> {
  return (await getFulfillment(db, companyId, ref)).document
}

/** Whose fulfillment it is that a company asks for: its own, or of one for which it ships. */
export async function getFulfillmentOwner(db: Db, companyId: number, ref: string): Promise<number> {
  return (await getFulfillment(db, companyId, ref)).company_id
}

async function getFulfillment(
  db: Db,
  companyId: number,
  ref: string,
): Promise<{ company_id: number; document: string }> {
  if (!isId(ref)) throw fulfillmentNotFound(ref)
  const [found] = await runPrepared(db, 'fulfillment', [companyId, Number(ref)], (company, id) => {
    const columns = ['fulfillments.company_id', 'fulfillments.document'] as const
    const own = shown(fulfillmentsOf(db, company)).where('fulfillments.id', '=', id)
    const shipped = shown(fulfillmentsShippedBy(db, company)).where('fulfillments.id', '=', id)
    return own.select(columns).unionAll(shipped.select(columns)).compile()
  })
  if (found === undefined) throw fulfillmentNotFound(ref)
  return found
}

/** What is to be shipped for orders, with what it shows of them; those without goods are left out. */
export async function readFulfillments(
  db: Db,
  companyId: number,
  orders: readonly OrderState[],
): Promise<FulfillmentState[]> {
  const byId = new Map(orders.map((order) => [order.id, order]))
  const rows = await fulfillmentsOf(db, companyId)
    .selectAll()
    .where('fulfillments.id', '=', sql<number>`any(${[...byId.keys()]}::bigint[])`)
    .orderBy('fulfillments.id')
    .execute()
  return rows.map(({ document: _document, ...row }) => {
    const order = byId.get(row.id)!
    const shipped_lines = row.shipped_lines as ShippedLine[] | null
    return {
      ...row,
      status: row.status as FulfillmentStatus,
      shipped_lines,
      customer_token: order.customer_token,
      shipping_address: order.shipping_address,
      lines: linesToShip(order, shipped_lines),
    }
  })
}

/** What of orders was shipped, by the id of the order. */
export async function readShipments(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, Shipment[]>> {
  const rows = await fulfillmentsOf(db, companyId)
    .select(['fulfillments.id', 'fulfillments.entry_id', 'fulfillments.shipped_at', 'fulfillments.shipped_lines'])
    .where('fulfillments.id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
  return new Map(
    rows.map(({ id, ...row }) => {
      const shipment = shipmentOf({ ...row, shipped_lines: row.shipped_lines as ShippedLine[] | null })
      return [id, shipment === undefined ? [] : [shipment]]
    }),
  )
}
