import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { raiseVersion } from '#platform/db/versions.ts'
import { TRAFFIC_DAYS } from './queries.ts'
import type { Traffic } from './state.ts'

/** A day that was counted. */
export type CountedDay = Traffic & { day: string; ends_at: Date }

/** A visit of a day that was counted. */
export type CountedVisit = {
  day: string
  visit_number: number
  started_at: Date
  ended_at: Date
  page_views: number
  theme_setting_id: number
  landing_path: string
  campaign: string
  referrer_host: string
  operating_system: string
  device: string
  country: string
  language: string
}

/**
 * Adds counted days and their visits, with one statement for each. A day that was counted before is added to, and a day that
 * is not counted yet stays as it is.
 */
export async function insertCountedDays(
  tx: Tx,
  companyId: number,
  days: readonly CountedDay[],
  visits: readonly CountedVisit[],
): Promise<void> {
  await sql`insert into traffic_days (company_id, day, ends_at, salt, visits, page_views, visitors, repeating_visitors, bots,
      bounces)
    select ${companyId}::bigint, day, ends_at, null, visits, page_views, visitors, repeating_visitors, bots, bounces
    from json_populate_recordset(null::traffic_days, ${JSON.stringify(days)}::json)
    on conflict (company_id, day) do update set visits = traffic_days.visits + excluded.visits,
      page_views = traffic_days.page_views + excluded.page_views, visitors = traffic_days.visitors + excluded.visitors,
      repeating_visitors = traffic_days.repeating_visitors + excluded.repeating_visitors,
      bots = traffic_days.bots + excluded.bots, bounces = traffic_days.bounces + excluded.bounces
    where traffic_days.salt is null`.execute(tx)
  await raiseVersion(tx, companyId, TRAFFIC_DAYS)
  if (visits.length === 0) return
  await sql`with added as (
      insert into visits (company_id, day, visit_number, started_at, ended_at, page_views, theme_setting_id, landing_path,
        campaign, referrer_host, operating_system, device, country, language)
      select ${companyId}::bigint, given.day, given.visit_number, given.started_at, given.ended_at, given.page_views,
        given.theme_setting_id, given.landing_path, given.campaign, given.referrer_host, given.operating_system,
        given.device, given.country, given.language
      from json_populate_recordset(null::visits, ${JSON.stringify(visits)}::json) as given
      join traffic_days on traffic_days.company_id = ${companyId} and traffic_days.day = given.day
        and traffic_days.salt is null
      returning day, referrer_host
    )
    insert into visit_referrer_days (company_id, day, host, visits)
    select ${companyId}::bigint, day, referrer_host, count(*) from added group by day, referrer_host
    on conflict (company_id, day, host) do update set visits = visit_referrer_days.visits + excluded.visits`.execute(tx)
}
