import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { type Found, findWithin, type Stretch } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepareFamily } from '#platform/db/prepared.ts'
import { readTime } from '#platform/wire/times.ts'
import { deliveryNotFound } from '../errors.ts'
import type { WebhookState } from '../state.ts'
import type { DeliveryFilters } from './schema.ts'
import type { DeliveryState, DeliveryStatus } from './state.ts'

/** Every read of deliveries starts here, so none can forget the company. */
function deliveriesOf(db: Db, companyId: number, webhookId: number) {
  return db
    .selectFrom('deliveries')
    .where('deliveries.company_id', '=', companyId)
    .where('deliveries.webhook_id', '=', webhookId)
}

type Deliveries = ReturnType<typeof deliveriesOf>

function whole(deliveries: Deliveries) {
  return deliveries.selectAll().$narrowType<Pick<DeliveryState, 'state' | 'data' | 'attempts'>>()
}

/** Each state has a statement of its own, because its index is for that state alone. */
type GivenFilters = Optional<{
  is_pending: boolean
  is_delivered: boolean
  is_failed: boolean
  created_at_min: Date
  created_at_max: Date
  since_id: number
}>

const FILTERS: Filters<Deliveries, GivenFilters> = {
  is_pending: (rows) => rows.where('deliveries.state', '=', sql.lit('pending')),
  is_delivered: (rows) => rows.where('deliveries.state', '=', sql.lit('delivered')),
  is_failed: (rows) => rows.where('deliveries.state', '=', sql.lit('failed')),
  created_at_min: (rows, time) => rows.where('deliveries.created_at', '>=', time),
  created_at_max: (rows, time) => rows.where('deliveries.created_at', '<=', time),
  since_id: (rows, id) => rows.where('deliveries.id', '>', id),
}

function readFilters({ state, created_at_min, created_at_max }: DeliveryFilters): GivenFilters {
  const chosen = state === undefined ? {} : { [`is_${state}` as const]: true }
  return { ...chosen, created_at_min: readTime(created_at_min), created_at_max: readTime(created_at_max) }
}

const listed = prepareList(
  (db: Db, { company, webhook, ...filters }: GivenFilters & { company: number; webhook: number }) =>
    whole(narrow(deliveriesOf(db, company, webhook), FILTERS, filters)),
)

type OfWebhook = Pick<WebhookState, 'company_id' | 'id'>

export function listDeliveries(
  db: Db,
  { company_id, id }: OfWebhook,
  filters: DeliveryFilters,
): RowList<DeliveryState> {
  return listed(db, { ...readFilters(filters), company: company_id, webhook: id })
}

const counted = prepareFamily((db: Db, filters: GivenFilters, companyId: number, webhookId: number) =>
  narrow(deliveriesOf(db, companyId, webhookId), FILTERS, filters)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

export async function countDeliveries(
  db: Db,
  { company_id, id }: OfWebhook,
  { since_id, ...filters }: DeliveryFilters & { since_id?: number },
): Promise<number> {
  const [row] = await counted(db, { ...readFilters(filters), since_id }, company_id, id)
  return row?.count ?? 0
}

/** A delivery of a webhook; another webhook's is not found. */
export async function getDelivery(db: Db, { company_id, id }: OfWebhook, ref: string): Promise<DeliveryState> {
  if (!/^\d{1,15}$/.test(ref)) throw deliveryNotFound(ref)
  const found = await whole(deliveriesOf(db, company_id, id))
    .where('deliveries.id', '=', Number(ref))
    .executeTakeFirst()
  if (found === undefined) throw deliveryNotFound(ref)
  return found
}

/** The latest deliveries of a webhook, newest first, or those in one state. */
export function latestDeliveries(
  db: Db,
  { company_id, id }: OfWebhook,
  limit: number,
  state?: DeliveryStatus,
): Promise<DeliveryState[]> {
  return whole(narrow(deliveriesOf(db, company_id, id), FILTERS, readFilters(state === undefined ? {} : { state })))
    .orderBy('deliveries.id', 'desc')
    .limit(limit)
    .execute()
}

/** Attempts to deliver events of a company in a stretch of time, by their webhooks. */
export function findAttempts(db: Db, companyId: number, stretch: Stretch, limit: number): Promise<Found> {
  return findWithin(
    db,
    sql`select webhook_id as id, (attempt ->> 'at')::timestamp at time zone 'UTC' as at
      from deliveries, jsonb_array_elements(attempts) as attempt where company_id = ${companyId}`,
    stretch,
    limit,
  )
}
