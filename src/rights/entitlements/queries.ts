import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf, condition, type Found, findWithin, type Row, type Stretch } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import { entitlementNotFound } from './errors.ts'
import { membership } from './memberships/expressions.queries.ts'
import { withLockedUsage, withLockedUsages } from './memberships/usage.queries.ts'
import { readRights, type StoredMembership, type StoredTerms, type StoredUsage } from './rules.ts'
import type { EntitlementState } from './state.ts'

/** Every read of entitlements starts here, so none can forget the company. */
export function entitlementsOf(db: Db, companyId: number) {
  return db.selectFrom('entitlements').where('entitlements.company_id', '=', companyId)
}

export type Entitlements = ReturnType<typeof entitlementsOf>

/**
 * A product that is not released yet may change its date. Without a date it is out if it is published; one that is hidden or
 * was deleted keeps the date of the sale.
 */
export const releasedAt = sql<
  Row<'entitlements'>['released_at']
>`case when not entitlements.awaits_release then entitlements.released_at
  else coalesce((select case when product.published_at is null and product.published then entitlements.acquired_at
      else product.published_at end from products as product
    where product.company_id = entitlements.company_id and product.id = entitlements.product_key),
    entitlements.released_at) end`

const columns = [
  'entitlements.company_id',
  'entitlements.id',
  'entitlements.customer_id',
  'entitlements.customer_token',
  'entitlements.order_id',
  'entitlements.line_id',
  'entitlements.piece',
  'entitlements.test',
  'entitlements.product_key',
  'entitlements.content_company_id',
  'entitlements.content_key',
  'entitlements.product_id',
  'entitlements.product_type',
  'entitlements.title',
  'entitlements.hd',
  'entitlements.audio_type',
  'entitlements.num_users',
  'entitlements.license_id',
  'entitlements.license_title',
  'entitlements.terms',
  'entitlements.acquired_at',
  'entitlements.granted_at',
  'entitlements.group_id',
  'entitlements.group_product_key',
  'entitlements.awaits_release',
  'entitlements.first_used_at',
  'entitlements.revoked',
  'entitlements.revoked_at',
  'entitlements.on_hold',
  'entitlements.suspended',
  'entitlements.usage',
  'entitlements.updated_at',
] as const

/** Customers whose account was erased are addressed in English. */
export const language = sql<string>`coalesce((select customer.language from customers as customer
  where customer.id = entitlements.customer_id), 'en')`

type StoredParts = { terms: StoredTerms; usage: StoredUsage; revoked: EntitlementState['revoked'] }

/** What depends on more than the row itself. */
const derived = [releasedAt.as('released_at'), membership.as('membership'), language.as('spoken')] as const

/** Everything of entitlements, with the language of their customer. */
export function whole(entitlements: Entitlements) {
  return entitlements.select(columns).select(derived).$narrowType<StoredParts>()
}

export type WholeRow = Awaited<ReturnType<ReturnType<typeof whole>['executeTakeFirstOrThrow']>>

/** An entitlement with the language of its customer. */
export type Owned = { entitlement: EntitlementState; language: string }

export function owned({ spoken, ...row }: WholeRow): Owned {
  return { entitlement: { ...row, ...readRights(row) }, language: spoken }
}

export const isId = (ref: string) => /^\d{1,15}$/.test(ref)

/** A device of the customer as a use needs it; both times are null for a new one. */
export type KnownDevice = { is_known: boolean; last_seen_at: Date | null; last_client_time: Date | null }

/** An entitlement and a device of its customer: everything that a decision depends on. */
export type Asked = Owned & { device: KnownDevice }

/** The device is joined, because each sub-select of its own costs as much as the row of the entitlement. */
export function withDevice(entitlements: Entitlements, deviceId: string) {
  return entitlements
    .leftJoin('devices', (join) =>
      join
        .onRef('devices.company_id', '=', 'entitlements.company_id')
        .onRef('devices.customer_id', '=', 'entitlements.customer_id')
        .on('devices.device_id', '=', deviceId),
    )
    .select([
      'devices.last_client_time',
      'devices.last_seen_at',
      condition`devices.id is not null and devices.removed_at is null`.as('is_known'),
    ])
}

const asked = (db: Db, companyId: number, id: number, deviceId: string) =>
  withDevice(entitlementsOf(db, companyId), deviceId)
    .select(columns)
    .select([releasedAt.as('released_at'), language.as('spoken')])
    .where('entitlements.id', '=', id)
    .$narrowType<StoredParts>()

const selectAsked = prepare((db: Db, companyId: number, id: number, deviceId: string) =>
  asked(db, companyId, id, deviceId).compile(),
)

const lockAsked = prepare((tx: Tx, companyId: number, id: number, deviceId: string) =>
  asked(tx, companyId, id, deviceId).forNoKeyUpdate(['entitlements']).compile(),
)

const selectMembership = prepare((db: Db, companyId: number, id: number) =>
  entitlementsOf(db, companyId).select(membership.as('membership')).where('entitlements.id', '=', id).compile(),
)

/**
 * An entitlement with what its group says, if it has one. That is a statement of its own: within the other one, PostgreSQL would
 * prepare the joins for everything that customers own too.
 */
async function withMembership<Part extends { company_id: number; id: number; group_id: string | null }>(
  db: Db,
  row: Part,
): Promise<Part & { membership: StoredMembership | null }> {
  const [found] = row.group_id === null ? [] : await selectMembership(db, row.company_id, row.id)
  return { ...row, membership: found?.membership ?? null }
}

/** The company, and the customer if the caller acts for one: it sees nothing of others. */
export type Viewer = {
  companyId: number
  customerId: number | null
  /** A guest sees what these orders gave, and nothing else of the customer. */
  orderIds?: readonly number[] | null
}

function isHidden(
  { customerId, orderIds = null }: Viewer,
  row: { customer_id: number; order_id: number | null },
): boolean {
  if (customerId !== null && row.customer_id !== customerId) return true
  return orderIds !== null && (row.order_id === null || !orderIds.includes(row.order_id))
}

async function getAsked(
  db: Db,
  read: (companyId: number, id: number, deviceId: string) => Promise<(Omit<WholeRow, 'membership'> & KnownDevice)[]>,
  viewer: Viewer,
  ref: string,
  deviceId: string,
): Promise<Asked> {
  const [row] = isId(ref) ? await read(viewer.companyId, Number(ref), deviceId) : []
  if (row === undefined || isHidden(viewer, row)) throw entitlementNotFound(ref)
  const { last_client_time, last_seen_at, is_known, ...rest } = row
  return { ...owned(await withMembership(db, rest)), device: { last_client_time, last_seen_at, is_known } }
}

/** An entitlement with a device of its customer; one of another company or customer is not found. */
export function getEntitlement(db: Db, viewer: Viewer, ref: string, deviceId = ''): Promise<Asked> {
  return getAsked(db, (...values) => selectAsked(db, ...values), viewer, ref, deviceId)
}

/** getEntitlement that holds the row until the transaction ends: uses of one entitlement happen one after another. */
export async function lockEntitlement(tx: Tx, viewer: Viewer, ref: string, deviceId = ''): Promise<Asked> {
  const asked = await getAsked(tx, (...values) => lockAsked(tx, ...values), viewer, ref, deviceId)
  return withLockedUsage(tx, asked)
}

/** Locks entitlements in the order of their ids, so that two that want the same never wait in a circle. */
export async function lockEntitlements(tx: Tx, companyId: number, ids: readonly number[]): Promise<Owned[]> {
  const rows = await whole(entitlementsOf(tx, companyId))
    .where('entitlements.id', '=', anyOf(ids))
    .orderBy('entitlements.id')
    .forNoKeyUpdate()
    .execute()
  return withLockedUsages(tx, rows.map(owned))
}

/** lockEntitlements for those of a customer that a device holds. */
export async function lockHeldBy(
  tx: Tx,
  { companyId, customerId }: { companyId: number; customerId: number },
  deviceId: string,
): Promise<Owned[]> {
  const holds = JSON.stringify({ holds: [{ device: deviceId }] })
  const rows = await whole(entitlementsOf(tx, companyId))
    .where('entitlements.customer_id', '=', customerId)
    .where(condition`(entitlements.usage @> ${holds}::jsonb or (entitlements.group_id is not null and exists (
      select from membership_uses as used where used.company_id = entitlements.company_id
        and used.group_id = entitlements.group_id and used.customer_id in (0, entitlements.customer_id)
        and used.usage @> ${holds}::jsonb)))`)
    .orderBy('entitlements.id')
    .forNoKeyUpdate()
    .execute()
  return withLockedUsages(tx, rows.map(owned))
}

/** The pieces that a customer got last, in the order of their ids. */
export async function readNewest(
  tx: Tx,
  companyId: number,
  customerId: number,
  count: number,
): Promise<EntitlementState[]> {
  const rows = await whole(entitlementsOf(tx, companyId))
    .where('entitlements.customer_id', '=', customerId)
    .orderBy('entitlements.id', 'desc')
    .limit(count)
    .execute()
  return rows.reverse().map((row) => owned(row).entitlement)
}

/** Reads entitlements by id; unknown ones are left out. */
export async function readEntitlements(db: Db, companyId: number, ids: readonly number[]): Promise<Owned[]> {
  const rows = await whole(entitlementsOf(db, companyId))
    .where('entitlements.id', '=', anyOf(ids))
    .orderBy('entitlements.id')
    .execute()
  return rows.map(owned)
}

const ofOrder = prepare((db: Db, companyId: number, orderId: number) =>
  whole(entitlementsOf(db, companyId))
    .where('entitlements.order_id', '=', orderId)
    .orderBy('entitlements.id')
    .compile(),
)

/** What an order gave its customer. */
export async function readOfOrder(db: Db, companyId: number, orderId: number): Promise<EntitlementState[]> {
  const rows = await ofOrder(db, companyId, orderId)
  return rows.map((row) => owned(row).entitlement)
}

export type EntitlementFilters = Optional<{
  customer_token: string
  order_id: number
  product_id: string
}>

type GivenFilters = EntitlementFilters &
  Optional<{ customer_id: number; since_id: number; order_ids: readonly number[] }>

const FILTERS: Filters<Entitlements, GivenFilters> = {
  customer_id: (rows, id) => rows.where('entitlements.customer_id', '=', id),
  customer_token: (rows, token) =>
    rows.where(
      'entitlements.customer_id',
      '=',
      sql<number>`(select customer.id from customers as customer where customer.token = ${token})`,
    ),
  order_id: (rows, id) => rows.where('entitlements.order_id', '=', id),
  order_ids: (rows, ids) => rows.where('entitlements.order_id', '=', anyOf(ids)),
  product_id: (rows, productId) => rows.where('entitlements.product_id', '=', productId),
  since_id: (rows, id) => rows.where('entitlements.id', '>', id),
}

/** The document is null if it is out of date or in another language: then it has to be presented. */
export type ListedEntitlement = { id: number; piece: number; document: string | null }

type ListOf = GivenFilters & { company: number; now: Date; spoken?: string | undefined }

const listed = prepareList((db: Db, { company, now, spoken, ...filters }: ListOf) =>
  narrow(entitlementsOf(db, company), FILTERS, filters)
    .select(['entitlements.id', 'entitlements.piece'])
    .select(
      sql<string | null>`case when (entitlements.document_until is null or entitlements.document_until > ${now})
        and entitlements.language = ${spoken ?? language} then entitlements.document end`.as('document'),
    ),
)

/** The language is that of the customer if only one is asked for. */
export function listEntitlements(
  db: Db,
  { companyId, customerId, orderIds }: Viewer,
  filters: EntitlementFilters,
  now: Date,
  spoken?: string,
): RowList<ListedEntitlement> {
  const of = { customer_id: customerId ?? undefined, order_ids: orderIds ?? undefined }
  return listed(db, { ...filters, ...of, company: companyId, now, spoken })
}

const counted = prepareFamily((db: Db, filters: GivenFilters, companyId: number) =>
  narrow(entitlementsOf(db, companyId), FILTERS, filters)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

export async function countEntitlements(
  db: Db,
  { companyId, customerId }: Viewer,
  filters: EntitlementFilters & { since_id?: number | undefined },
): Promise<number> {
  const [row] = await counted(db, { ...filters, customer_id: customerId ?? undefined }, companyId)
  return row?.count ?? 0
}

/** The ids of entitlements after one, in order. */
export async function readEntitlementIds(db: Db, companyId: number, after: number, limit: number): Promise<number[]> {
  const rows = await entitlementsOf(db, companyId)
    .select('entitlements.id')
    .where('entitlements.id', '>', after)
    .orderBy('entitlements.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The company of an entitlement, for the operator, who knows its id alone. Ids are the platform's. */
export async function findCompanyOf(db: Db, ref: string): Promise<number> {
  const row = isId(ref)
    ? await db.selectFrom('entitlements').select('company_id').where('id', '=', Number(ref)).executeTakeFirst()
    : undefined
  if (row === undefined) throw entitlementNotFound(ref)
  return row.company_id
}

/** Rights of a company's customers that ended in a stretch of time, by the time that their documents show. */
export function findEnded(db: Db, companyId: number, stretch: Stretch, limit: number): Promise<Found> {
  return findWithin(
    db,
    sql`select id, (document::json ->> 'ends_at')::timestamp at time zone 'UTC' as at from entitlements
      where company_id = ${companyId} and revoked is null`,
    stretch,
    limit,
  )
}
