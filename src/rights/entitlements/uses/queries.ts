import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { condition, type Row } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import { versionWith } from '#platform/db/versions.ts'
import { entitlementsOf } from '../queries.ts'
import type { UsageDay, UseState } from './state.ts'

/** Every read of uses starts here, so none can forget the company. */
function usesOf(db: Db, companyId: number) {
  return db
    .selectFrom('entitlement_uses')
    .where('entitlement_uses.company_id', '=', companyId)
    .selectAll('entitlement_uses')
    .$narrowType<Pick<UseState, 'kind' | 'action' | 'code'>>()
}

function usesOfOne(db: Db, companyId: number, entitlementId: number) {
  return usesOf(db, companyId).where('entitlement_uses.entitlement_id', '=', entitlementId)
}

const listed = prepareList((db: Db, { companyId, id }: { companyId: number; id: number }) =>
  usesOfOne(db, companyId, id),
)

/** The uses and refusals of an entitlement, oldest first. */
export function listUses(db: Db, companyId: number, entitlementId: number): RowList<UseState> {
  return listed(db, { companyId, id: entitlementId })
}

/** The day of a time at an offset to UTC in minutes. */
export function dayIn(offset: RawBuilder<unknown>, time: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${time} at time zone 'UTC' + ${offset} * interval '1 minute')::date`
}

/** The latest uses and refusals, newest first. */
export function readLatestUses(db: Db, companyId: number, entitlementId: number, limit: number): Promise<UseState[]> {
  return usesOfOne(db, companyId, entitlementId).orderBy('entitlement_uses.id', 'desc').limit(limit).execute()
}

const title = sql<Row<'entitlements'>['title']>`(select owned.title from entitlements as owned
  where owned.company_id = entitlement_uses.company_id and owned.id = entitlement_uses.entitlement_id)`

/** Uses with the title of their entitlement. */
const withTitle = (uses: ReturnType<typeof usesOf>) => uses.select(title.as('title'))

const refused = prepareList((db: Db, { companyId, customerId }: { companyId: number; customerId: number }) =>
  withTitle(usesOf(db, companyId))
    .where(condition`entitlement_uses.entitlement_id = any(array(select owned.id from entitlements as owned
      where owned.company_id = ${companyId} and owned.customer_id = ${customerId}))`)
    .where('entitlement_uses.code', '<>', 'allowed'),
)

/** What a customer was refused. */
export function listRefusals(
  db: Db,
  { companyId, customerId }: { companyId: number; customerId: number },
): RowList<UseState & { title: string }> {
  return refused(db, { companyId, customerId })
}

/** Pieces of content of an order that were used, with the time of their first use, the latest first. */
export async function readFirstUsesOfOrder(
  db: Db,
  companyId: number,
  orderId: number,
  limit: number,
): Promise<{ title: string; first_used_at: Date | null }[]> {
  return entitlementsOf(db, companyId)
    .select(['entitlements.title', 'entitlements.first_used_at'])
    .where('entitlements.order_id', '=', orderId)
    .where('entitlements.first_used_at', 'is not', null)
    .orderBy('entitlements.first_used_at', 'desc')
    .limit(limit)
    .execute()
}

/** The latest downloads of the content of an order. */
export function readDownloadsOfOrder(
  db: Db,
  companyId: number,
  orderId: number,
  limit: number,
): Promise<{ title: string; created_at: Date }[]> {
  return withTitle(usesOf(db, companyId))
    .where(condition`entitlement_uses.entitlement_id = any(array(select bought.id from entitlements as bought
      where bought.company_id = ${companyId} and bought.order_id = ${orderId}))`)
    .where('entitlement_uses.kind', '=', 'use')
    .where('entitlement_uses.action', '=', 'download')
    .where('entitlement_uses.code', '=', 'allowed')
    .orderBy('entitlement_uses.id', 'desc')
    .limit(limit)
    .execute()
}

/** The names of the products are looked up at the end, once for each: PostgreSQL would look them up for each day. */
const usageDays = prepare(
  (db: Db, companyId: number, from: string, to: string, group: string, offset: number, max: number) =>
    sql<UsageDay>`with counted as (
      select date_trunc(${group}, day)::date as start, product_key, product_id, sum(plays) as plays,
        sum(downloads) as downloads, sum(seconds) as seconds, sum(started) as started, sum(finished) as finished
      from (
        select day, product_key, product_id, plays, downloads, seconds, started, finished from usage_days
        where company_id = ${companyId} and day between ${from}::date and ${to}::date
        union all
        select ${dayIn(sql`${offset}::int`, sql`at`)}, product_key, product_id, plays, downloads, seconds,
          started, finished
        from usage_changes where company_id = ${companyId}
      ) as parts
      where day between ${from}::date and ${to}::date
      group by start, product_key, product_id
      having sum(plays) <> 0 or sum(downloads) <> 0 or sum(seconds) <> 0 or sum(started) <> 0 or sum(finished) <> 0
    ), names as materialized (
      select product_id, (select title from entitlements as owned
        where owned.company_id = ${companyId} and owned.product_id = used.product_id order by id desc limit 1) as name
      from (select distinct product_id from counted) as used
    )
    select start::text as date, product_key as id, product_id, name, plays, downloads, seconds, started, finished
    from counted join names using (product_id) order by start, product_key limit ${max}`.compile(db),
)

/**
 * How the products of a company were used on each day, week (from Monday) or month of a period. Uses that have not been added up
 * yet are part of it, at an offset to UTC in minutes. There are `max` records at most, the earliest ones.
 */
export function readUsageDays(
  db: Db,
  companyId: number,
  { from, to, group }: { from: string; to: string; group: 'day' | 'week' | 'month' },
  offset: number,
  max: number,
): Promise<UsageDay[]> {
  return usageDays(db, companyId, from, to, group, offset, max)
}

const usageOfProducts = prepare((db: Db, companyId: number, from: string, to: string, offset: number, limit: number) =>
  sql<Omit<UsageDay, 'date'>>`with counted as (
      select product_key, product_id, sum(plays) as plays, sum(downloads) as downloads, sum(seconds) as seconds,
        sum(started) as started, sum(finished) as finished
      from (
        select product_key, product_id, plays, downloads, seconds, started, finished from usage_days
        where company_id = ${companyId} and day between ${from}::date and ${to}::date
        union all
        select product_key, product_id, plays, downloads, seconds, started, finished from usage_changes
        where company_id = ${companyId} and ${dayIn(sql`${offset}::int`, sql`at`)} between ${from}::date and ${to}::date
      ) as parts
      group by product_key, product_id
      having sum(plays) <> 0 or sum(downloads) <> 0 or sum(seconds) <> 0 or sum(started) <> 0 or sum(finished) <> 0
      order by sum(started) desc, sum(plays) desc, sum(downloads) desc, product_key limit ${limit}::int
    )
    select product_key as id, product_id, plays, downloads, seconds, started, finished,
      (select title from entitlements as owned
        where owned.company_id = ${companyId} and owned.product_id = counted.product_id order by id desc limit 1) as name
    from counted order by started desc, plays desc, downloads desc, product_key`.compile(db),
)

/** How the products of a company were used in a period, those that most customers began first. */
export function readUsageOfProducts(
  db: Db,
  companyId: number,
  { from, to }: { from: string; to: string },
  offset: number,
  limit: number,
): Promise<Omit<UsageDay, 'date'>[]> {
  return usageOfProducts(db, companyId, from, to, offset, limit)
}

const usageRows = prepare((db: Db, companyId: number, from: string, to: string, group: string) =>
  sql<{ start: string; rows: number }>`select date_trunc(${group}, day)::date::text as start, count(*) as rows
    from usage_days where company_id = ${companyId} and day between ${from}::date and ${to}::date
    group by 1 order by 1`.compile(db),
)

/** How many rows the days, weeks or months of a period are counted from, those that have any. */
export function countUsageRows(
  db: Db,
  companyId: number,
  { from, to, group }: { from: string; to: string; group: 'day' | 'week' | 'month' },
): Promise<{ start: string; rows: number }[]> {
  return usageRows(db, companyId, from, to, group)
}

/** A report goes through every use that waits: this many take a few milliseconds. */
const CHANGES_MANY = 10_000

/** Do more uses wait to be added up than a worker leaves? */
export async function hasManyUsageChanges(db: Db): Promise<boolean> {
  const found = await db.selectFrom('usage_changes').select('at').limit(1).offset(CHANGES_MANY).executeTakeFirst()
  return found !== undefined
}

/** The version of the days that uses are added to. */
export const USAGE_DAYS = 'usage_days'

/** Is another text whenever the statistics of uses are others: changes are only taken together with a new version. */
export function usageStatisticsVersion(companyId: number) {
  return versionWith(companyId, USAGE_DAYS, sql`select count(*) from usage_changes where company_id = ${companyId}`)
}
