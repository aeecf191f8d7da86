import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { readCounter } from '#platform/db/counters.ts'
import type { Db } from '#platform/db/database.ts'
import { anyOf, condition } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { type DocumentList, prepareList } from '#platform/db/pages.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import type { DB } from '#platform/db/types.gen.ts'
import { readTime } from '#platform/wire/times.ts'
import { firstIdSince, lastIdUntil } from '../counts/queries.ts'
import type { OrderState, Shipment } from '../state.ts'
import { fulfillmentNotFound } from './errors.ts'
import { linesToShip, shipmentOf } from './rules.ts'
import type { FulfillmentFilters, FulfillmentStatus } from './schema.ts'
import type { FulfillmentState } from './state.ts'

export const FULFILLMENTS = 'fulfillments'

/** Every read of fulfillments for their owner starts here, so none can forget the company. */
function fulfillmentsOf(db: Db, companyId: number) {
  return db.selectFrom('fulfillments').where('fulfillments.company_id', '=', companyId)
}

/**
 * Every read for a company that ships for others starts here. No company ships for itself, so no row is found twice.
 */
function fulfillmentsShippedBy(db: Db, partnerId: number) {
  return db.selectFrom('fulfillments').where('fulfillments.partner_id', '=', partnerId)
}

type Rows = SelectQueryBuilder<DB, 'fulfillments', object>

/** The condition is written exactly as in the partial indexes, or PostgreSQL would not use them. */
const isShown = condition`not fulfillments.cancelled`

/** The ids of the orders of a company whose goods still have to be sent. */
export function idsToShip(companyId: number): RawBuilder<unknown> {
  return sql`select fulfillments.id from fulfillments where fulfillments.company_id = ${companyId}
    and fulfillments.status = 0 and ${isShown}`
}

type Asked = Optional<FulfillmentFilters & { status: FulfillmentStatus; since_id: number }>

type GivenFilters = Optional<{
  since_id: number
  status: FulfillmentStatus
  created_at_min: Date
  created_at_max: Date
}>

const FILTERS: Filters<Rows, GivenFilters> = {
  since_id: (rows, id) => rows.where('fulfillments.id', '>', id),
  status: (rows, status) => rows.where('fulfillments.status', '=', status),
  created_at_min: (rows, time) => rows.where('fulfillments.created_at', '>=', time),
  created_at_max: (rows, time) => rows.where('fulfillments.created_at', '<=', time),
}

/** The days of the owner's orders limit the ids, so that a page of a period is found by key, as it is for orders. */
const boundsOf = (companyId: number): Filters<Rows, Pick<GivenFilters, 'created_at_min' | 'created_at_max'>> => ({
  created_at_min: (rows, time) => rows.where('fulfillments.id', '>=', firstIdSince(companyId, time)),
  created_at_max: (rows, time) => rows.where('fulfillments.id', '<=', lastIdUntil(companyId, time)),
})

function readFilters({ since_id, status, created_at_min, created_at_max }: Asked): GivenFilters {
  return { since_id, status, created_at_min: readTime(created_at_min), created_at_max: readTime(created_at_max) }
}

const listed = prepareList((db: Db, { company, ...filters }: GivenFilters & { company: number }) => {
  const columns = ['fulfillments.id', 'fulfillments.document'] as const
  const own = narrow(narrow(fulfillmentsOf(db, company), FILTERS, filters), boundsOf(company), filters)
  const shipped = narrow(fulfillmentsShippedBy(db, company), FILTERS, filters)
  return [own.where(isShown).select(columns), shipped.where(isShown).select(columns)]
})

/** The fulfillments of a company and those that it ships for others, oldest first. */
export function listFulfillments(
  db: Db,
  companyId: number,
  { created_at_min, created_at_max }: FulfillmentFilters,
  status?: FulfillmentStatus,
): DocumentList {
  return listed(db, { ...readFilters({ created_at_min, created_at_max, status }), company: companyId })
}

const counted = prepareFamily((db: Db, filters: GivenFilters, companyId: number) => {
  const own = narrow(fulfillmentsOf(db, companyId), FILTERS, filters).where(isShown).select('fulfillments.id')
  const shipped = narrow(fulfillmentsShippedBy(db, companyId), FILTERS, filters)
    .where(isShown)
    .select('fulfillments.id')
  return db
    .selectFrom(own.unionAll(shipped).as('found'))
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile()
})

/** Without a filter the stored count is used; with a filter an index is. */
export async function countFulfillments(
  db: Db,
  companyId: number,
  filters: FulfillmentFilters & { since_id?: number },
): Promise<number> {
  const given = readFilters(filters)
  if (Object.values(given).every((value) => value === undefined)) return readCounter(db, companyId, FULFILLMENTS)
  const [row] = await counted(db, given, companyId)
  return row?.count ?? 0
}

const isId = (ref: string) => /^\d{1,15}$/.test(ref)

/** The document of a fulfillment. One that the company may not see is not found. */
export async function getFulfillmentDocument(db: Db, companyId: number, ref: string): Promise<string> {
  return (await getFulfillment(db, companyId, ref)).document
}

/** The owner of a requested fulfillment: the company itself, or one for which it ships. */
export async function getFulfillmentOwner(db: Db, companyId: number, ref: string): Promise<number> {
  return (await getFulfillment(db, companyId, ref)).company_id
}

const byId = prepare((db: Db, companyId: number, id: number) => {
  const columns = ['fulfillments.company_id', 'fulfillments.document'] as const
  const own = fulfillmentsOf(db, companyId).where(isShown).where('fulfillments.id', '=', id)
  const shipped = fulfillmentsShippedBy(db, companyId).where(isShown).where('fulfillments.id', '=', id)
  return own.select(columns).unionAll(shipped.select(columns)).compile()
})

async function getFulfillment(
  db: Db,
  companyId: number,
  ref: string,
): Promise<{ company_id: number; document: string }> {
  if (!isId(ref)) throw fulfillmentNotFound(ref)
  const [fulfillment] = await byId(db, companyId, Number(ref))
  if (fulfillment === undefined) throw fulfillmentNotFound(ref)
  return fulfillment
}

/** The fulfillments of orders, with the fields that they show of the order. Orders without goods are left out. */
export async function readFulfillments(
  db: Db,
  companyId: number,
  orders: readonly OrderState[],
): Promise<FulfillmentState[]> {
  const byId = new Map(orders.map((order) => [order.id, order]))
  const rows = await fulfillmentsOf(db, companyId)
    .selectAll()
    .$narrowType<Pick<FulfillmentState, 'status' | 'shipped_lines'>>()
    .where('fulfillments.id', '=', anyOf([...byId.keys()]))
    .orderBy('fulfillments.id')
    .execute()
  return rows.flatMap(({ document: _document, ...row }) => {
    const order = byId.get(row.id)
    if (order === undefined) return []
    return {
      ...row,
      customer_token: order.customer_token,
      shipping_address: order.shipping_address,
      lines: linesToShip(order, row.shipped_lines),
    }
  })
}

const shipped = (db: Db, companyId: number) =>
  fulfillmentsOf(db, companyId)
    .select(['fulfillments.id', 'fulfillments.entry_id', 'fulfillments.shipped_at', 'fulfillments.shipped_lines'])
    .$narrowType<Pick<FulfillmentState, 'shipped_lines'>>()

const shipmentsOf = {
  one: prepare((db: Db, companyId: number, id: number) =>
    shipped(db, companyId).where('fulfillments.id', '=', id).compile(),
  ),
  many: prepare((db: Db, companyId: number, ids: readonly number[]) =>
    shipped(db, companyId).where('fulfillments.id', '=', anyOf(ids)).compile(),
  ),
}

/** The shipments of orders, by the id of the order. */
export async function readShipments(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, Shipment[]>> {
  const [only] = ids
  const rows =
    only !== undefined && ids.length === 1
      ? await shipmentsOf.one(db, companyId, only)
      : await shipmentsOf.many(db, companyId, ids)
  return new Map(
    rows.map(({ id, ...row }) => {
      const shipment = shipmentOf(row)
      return [id, shipment === undefined ? [] : [shipment]]
    }),
  )
}

/** The ids of a company's fulfillments after one id, in order. */
export async function readFulfillmentIds(db: Db, companyId: number, after: number, limit: number): Promise<number[]> {
  const rows = await fulfillmentsOf(db, companyId)
    .select('fulfillments.id')
    .where('fulfillments.id', '>', after)
    .orderBy('fulfillments.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
