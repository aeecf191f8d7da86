import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { UsageDay, UseState } from './state.ts'

/** Every read of uses starts here, so none can forget the company and the entitlement. */
function usesOf(db: Db, companyId: number, entitlementId: number) {
  return db
    .selectFrom('entitlement_uses')
    .where('entitlement_uses.company_id', '=', companyId)
    .where('entitlement_uses.entitlement_id', '=', entitlementId)
    .selectAll()
    .$narrowType<Pick<UseState, 'kind' | 'action' | 'code'>>()
}

const listed = prepareList((db: Db, { companyId, id }: { companyId: number; id: number }) => usesOf(db, companyId, id))

/** The uses and refusals of an entitlement, oldest first. */
export function listUses(db: Db, companyId: number, entitlementId: number): RowList<UseState> {
  return listed(db, { companyId, id: entitlementId })
}

/** The latest uses and refusals, newest first. */
export function readLatestUses(db: Db, companyId: number, entitlementId: number, limit: number): Promise<UseState[]> {
  return usesOf(db, companyId, entitlementId).orderBy('entitlement_uses.id', 'desc').limit(limit).execute()
}

/** A million uses are counted by numbers alone; the names of the products are looked up at the end, once for each. */
const usageDays = prepare((db: Db, companyId: number, from: string, to: string, offset: number) =>
  sql<UsageDay>`with counted as (
      select day, product_key, product_id, count(*) filter (where action = 'play') as plays,
        count(*) filter (where action = 'download') as downloads, coalesce(sum(seconds), 0) as seconds
      from (
        select entitlement_id, (created_at at time zone 'UTC' + ${offset}::int * interval '1 minute')::date as day,
          action, null::int as seconds
        from entitlement_uses
        where company_id = ${companyId} and kind = 'use' and code = 'allowed' and action in ('play', 'download')
          and created_at >= (${from}::date - ${offset}::int * interval '1 minute') at time zone 'UTC'
          and created_at < (${to}::date + 1 - ${offset}::int * interval '1 minute') at time zone 'UTC'
        union all
        select entitlement_id, day, '', seconds from played_days
        where company_id = ${companyId} and day between ${from}::date and ${to}::date
      ) as uses
      join entitlements as owned on owned.company_id = ${companyId} and owned.id = uses.entitlement_id
      where not owned.test
      group by day, product_key, product_id
    ), names as (
      select product_id, (select title from entitlements as owned
        where owned.company_id = ${companyId} and owned.product_id = used.product_id order by id desc limit 1) as name
      from (select distinct product_id from counted) as used
    )
    select day::text as date, product_key as id, product_id, name, plays, downloads, seconds
    from counted join names using (product_id) order by day, product_key`.compile(db),
)

/** How the products of a company were used on each day, at an offset to UTC in minutes. */
export function readUsageDays(
  db: Db,
  companyId: number,
  { from, to }: { from: string; to: string },
  offset: number,
): Promise<UsageDay[]> {
  return usageDays(db, companyId, from, to, offset)
}
