import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import { type Columns, dayOf } from '#platform/db/expressions.ts'
import { raisedVersions, raiseVersion } from '#platform/db/versions.ts'
import { countedVisits, lockOpenDay, TRAFFIC_DAYS, trafficTotals } from './queries.ts'
import type { Day } from './state.ts'

const SALT_BYTES = 32

/** Opens a day, if no other process has, and returns its salt. Null: the day has been counted. */
export async function openDay(tx: Tx, { companyId, day }: Day, endsAt: Date): Promise<Buffer | null> {
  // The update that changes nothing returns the salt that another process has just stored.
  const { rows } = await sql<Columns<'traffic_days', 'salt'>>`insert into traffic_days (company_id, day, ends_at, salt)
    values (${companyId}, ${day}::date, ${endsAt}, ${randomBytes(SALT_BYTES)})
    on conflict (company_id, day) do update set salt = traffic_days.salt returning salt`.execute(tx)
  return rows[0]?.salt ?? null
}

/** A page view as it is stored. */
export type PageViewRow = {
  company_id: number
  day: string
  /** In hexadecimal digits. */
  visitor: string
  position: number
  at: string
  theme_setting_id: number
  path: string
  campaign: string
  referrer_host: string
  operating_system: string
  device: string
  country: string
  language: string
  is_bot: boolean
}

/**
 * Writes a batch of views. A batch that was written before changes nothing, so an attempt whose answer got lost can be
 * repeated. The views of days that have been counted are left out, and are counted as lost.
 */
export async function writeViews(tx: Tx, batch: string, views: readonly PageViewRow[]): Promise<{ late: number }> {
  const { rows } = await sql<{ company_id: number; day: string; late: number }>`with given as (
      select * from jsonb_to_recordset(${JSON.stringify(views)}::jsonb) as view (company_id bigint, day date, visitor text,
        position int, at timestamptz, theme_setting_id bigint, path text, campaign text, referrer_host text,
        operating_system text, device text, country text, language text, is_bot boolean)
    ), open as materialized (
      select company_id, day from traffic_days
      where (company_id, day) in (select company_id, day from given) and salt is not null
      order by company_id, day for key share
    ), written as (
      insert into page_views (company_id, day, visitor, batch, position, at, theme_setting_id, path, campaign,
        referrer_host, operating_system, device, country, language, is_bot)
      select company_id, day, decode(visitor, 'hex'), ${batch}::uuid, position, at, theme_setting_id, path, campaign,
        referrer_host, operating_system, device, country, language, is_bot
      from given join open using (company_id, day)
      on conflict do nothing
    ), versions_raised as (${raisedVersions(TRAFFIC_DAYS, sql`select company_id from open`)})
    select company_id, day::text as day, count(*)::int as late from given
    where (company_id, day) not in (select company_id, day from open) group by company_id, day`.execute(tx)
  for (const { company_id: companyId, day, late } of rows) await addLostViews(tx, { companyId, day }, late)
  return { late: rows.reduce((sum, { late }) => sum + late, 0) }
}

export async function addLostViews(tx: Tx, { companyId, day }: Day, count: number): Promise<void> {
  await tx
    .updateTable('traffic_days')
    .set((set) => ({ lost_views: set('lost_views', '+', count) }))
    .where('company_id', '=', companyId)
    .where('day', '=', dayOf(day))
    .execute()
}

/**
 * Counts a day that is over: its views become visits without visitors, and the salt is deleted. Views that are being written
 * are waited for, and none is added afterwards.
 */
export async function closeDay(tx: Tx, { companyId, day }: Day): Promise<void> {
  if (!(await lockOpenDay(tx, { companyId, day }))) return
  await sql`with ${countedVisits({ companyId, day })}, stored as (
      insert into visits (company_id, day, visit_number, started_at, ended_at, page_views, theme_setting_id, landing_path,
        campaign, referrer_host, operating_system, device, country, language)
      select ${companyId}::bigint, ${day}::date, visit_number, started_at, ended_at, page_views, theme_setting_id,
        landing_path, campaign, referrer_host, operating_system, device, country, language
      from counted where not is_bot
    ), referrers as (
      insert into visit_referrer_days (company_id, day, host, visits)
      select ${companyId}::bigint, ${day}::date, referrer_host, count(*) from counted where not is_bot
      group by referrer_host
    ), totals as (select ${trafficTotals} from counted)
    update traffic_days set salt = null, visits = totals.visits, page_views = totals.page_views,
      visitors = totals.visitors, repeating_visitors = totals.repeating_visitors, bots = totals.bots,
      bounces = totals.bounces
    from totals where company_id = ${companyId} and day = ${day}::date`.execute(tx)
  await tx.deleteFrom('page_views').where('company_id', '=', companyId).where('day', '=', dayOf(day)).execute()
  await raiseVersion(tx, companyId, TRAFFIC_DAYS)
}

const KEPT_DAYS = 90

/** The counts of each day stay; how each visit went is deleted, and where it came from. */
export async function deleteOldVisits(tx: Tx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000)
  return (
    (await deleteBatch(tx, 'visits', 'started_at', sql`started_at < ${before}`)) +
    (await deleteBatch(tx, 'visit_referrer_days', 'day', sql`day < ${before}::timestamptz::date`))
  )
}
