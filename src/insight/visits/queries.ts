import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { type Columns, condition, dayOf, type Found, findWithin, type Stretch } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { versionOf } from '#platform/db/versions.ts'
import type { Landing } from '#shop/checkout/state.ts'
import { NO_TRAFFIC } from './rules.ts'
import type { Day, Traffic } from './state.ts'

/** Every read of days starts here, so none can forget the company. */
function daysOf(db: Db, companyId: number) {
  return db.selectFrom('traffic_days').where('traffic_days.company_id', '=', companyId)
}

/** Holds a day until the transaction ends, so that no view is added to it. False: the day has been counted. */
export async function lockOpenDay(tx: Tx, { companyId, day }: Day): Promise<boolean> {
  const open = await daysOf(tx, companyId)
    .select('company_id')
    .where('day', '=', dayOf(day))
    .where('salt', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  return open !== undefined
}

/** Has anybody visited the shops of a company? */
export async function hasVisits(db: Db, companyId: number): Promise<boolean> {
  return (await daysOf(db, companyId).select('company_id').limit(1).executeTakeFirst()) !== undefined
}

/** When the next day of a company ends, after one time and no later than another. */
export async function findNextEnd(db: Db, companyId: number, after: Date, until: Date): Promise<Date | undefined> {
  const { at } = await daysOf(db, companyId)
    .where('salt', 'is not', null)
    .where('ends_at', '>', after)
    .where('ends_at', '<=', until)
    .select(({ fn }) => fn.min('ends_at').as('at'))
    .executeTakeFirstOrThrow()
  return at ?? undefined
}

/** The days that ended before a time and have not been counted. */
export async function listEndedDays(db: Db, before: Date, limit: number, only?: number): Promise<Day[]> {
  const rows = await db
    .selectFrom('traffic_days')
    .select(['company_id', sql<string>`day::text`.as('day')])
    .where('ends_at', '<', before)
    .where('salt', 'is not', null)
    .$if(only !== undefined, (days) => days.where('company_id', '=', only ?? 0))
    .orderBy('ends_at')
    .limit(limit)
    .execute()
  return rows.map(({ company_id: companyId, day }) => ({ companyId, day }))
}

/**
 * The visits of a day, as a common table expression `counted` made of its views. A pause of 30 minutes ends a visit, so the
 * order in which the views were written does not matter.
 */
export function countedVisits({ companyId, day }: Day): RawBuilder<unknown> {
  return sql`seen as (
      select *, at - lag(at) over visitor >= interval '30 minutes' as is_back
      from page_views where company_id = ${companyId} and day = ${day}::date
      window visitor as (partition by visitor order by at, batch, position)
    ), numbered as (
      select *, 1 + count(*) filter (where is_back) over (partition by visitor order by at, batch, position) as visit_number
      from seen
    ), counted as (
      select visit_number, is_bot, count(*) as page_views, min(at) as started_at, max(at) as ended_at,
        (array_agg(theme_setting_id order by at, batch, position))[1] as theme_setting_id,
        (array_agg(path order by at, batch, position))[1] as landing_path,
        (array_agg(campaign order by at, batch, position))[1] as campaign,
        (array_agg(referrer_host order by at, batch, position))[1] as referrer_host,
        min(operating_system) as operating_system, min(device) as device, min(country) as country,
        min(language) as language
      from numbered group by visitor, visit_number, is_bot
    )`
}

/** The counts of `counted`. Bots are counted apart from people. */
export const trafficTotals = sql<Traffic>`
  count(*) filter (where not is_bot)::int as visits,
  coalesce(sum(page_views) filter (where not is_bot), 0)::int as page_views,
  count(*) filter (where not is_bot and visit_number = 1)::int as visitors,
  count(*) filter (where not is_bot and visit_number = 2)::int as repeating_visitors,
  count(*) filter (where is_bot)::int as bots,
  count(*) filter (where not is_bot and page_views = 1)::int as bounces`

/** The counts of a day so far. They are those of `countedVisits`, which costs twice as much because it describes each visit. */
const trafficSoFar = prepare((db: Db, companyId: number, day: string) =>
  sql<Traffic>`select count(*) filter (where is_first and not is_bot) as visits,
      count(*) filter (where not is_bot) as page_views,
      count(distinct visitor) filter (where not is_bot) as visitors,
      count(distinct visitor) filter (where is_first and is_back and not is_bot) as repeating_visitors,
      count(*) filter (where is_first and is_bot) as bots,
      count(*) filter (where is_first and is_last and not is_bot) as bounces
    from (
      select visitor, is_bot, lag(at) over views is not null as is_back,
        coalesce(at - lag(at) over views >= interval '30 minutes', true) as is_first,
        coalesce(lead(at) over views - at >= interval '30 minutes', true) as is_last
      from page_views where company_id = ${companyId} and day = ${day}::date
      window views as (partition by visitor order by at)
    ) as seen`.compile(db),
)

const TOTALS = ['visits', 'page_views', 'visitors', 'repeating_visitors', 'bots', 'bounces'] as const

/** The traffic of a day: as it was counted, or as it is so far. */
export async function readTraffic(db: Db, { companyId, day }: Day): Promise<Traffic & { lost_views: number }> {
  // In this order: a day that is counted in between has no views any more, and says that it is counted.
  const [soFar] = await trafficSoFar(db, companyId, day)
  const stored = await daysOf(db, companyId)
    .select([...TOTALS, 'lost_views', condition`salt is null`.as('is_counted')])
    .where('day', '=', dayOf(day))
    .executeTakeFirst()
  const { is_counted = false, lost_views = 0, ...counts } = stored ?? {}
  if (is_counted || soFar === undefined) return { ...NO_TRAFFIC, ...counts, lost_views }
  return { ...soFar, lost_views }
}

/** The traffic of each day of a period; days without any are left out. Days that are not over are counted as they are so far. */
export async function readTrafficDays(
  db: Db,
  companyId: number,
  { from, to }: { from: string; to: string },
): Promise<(Traffic & { date: string })[]> {
  const days = await trafficDays(db, companyId, from, to)
  return Promise.all(
    days.map(async ({ is_counted, ...counts }) => {
      if (is_counted) return counts
      const { lost_views: _lost, ...soFar } = await readTraffic(db, { companyId, day: counts.date })
      return { ...soFar, date: counts.date }
    }),
  )
}

const trafficDays = prepare((db: Db, companyId: number, from: string, to: string) =>
  daysOf(db, companyId)
    .select([...TOTALS, sql<string>`day::text`.as('date'), condition`salt is null`.as('is_counted')])
    .where('day', '>=', dayOf(from))
    .where('day', '<=', dayOf(to))
    .orderBy('day')
    .compile(),
)

/** The version of the days, and of the views that have not been counted. */
export const TRAFFIC_DAYS = 'traffic_days'

/** Is another number whenever the statistics of traffic are others. */
export function trafficVersion(companyId: number) {
  return versionOf(companyId, TRAFFIC_DAYS)
}

const referrers = prepare((db: Db, companyId: number, from: string, to: string, limit: number) =>
  sql<Columns<'visit_referrer_days', 'host' | 'visits'>>`select host, sum(visits) as visits from visit_referrer_days
    where company_id = ${companyId} and day between ${from}::date and ${to}::date
    group by host order by sum(visits) desc, host limit ${limit}::int`.compile(db),
)

/** The sites whose links led to most visits. Days that are not over are left out. */
export function readReferrers(
  db: Db,
  companyId: number,
  { from, to }: { from: string; to: string },
  limit: number,
): Promise<{ host: string; visits: number }[]> {
  return referrers(db, companyId, from, to, limit)
}

// With sub-selects, PostgreSQL plans once. It would plan every time for the values themselves, for as long as it reads.
const latestLanding = prepare((db: Db, companyId: number, day: string, visitor: string) =>
  sql<Columns<'page_views', 'path' | 'campaign' | 'referrer_host'>>`select path, campaign, referrer_host from (
      select path, campaign, referrer_host, at, batch, position,
        at - lag(at) over (order by at, batch, position) as pause
      from page_views where company_id = (select ${companyId}::bigint) and day = (select ${day}::date)
        and visitor = (select decode(${visitor}, 'hex'))
    ) as seen
    where pause is null or pause >= interval '30 minutes'
    order by at desc, batch desc, position desc limit 1`.compile(db),
)

/** The beginning of the latest visit of a visitor on a day. */
export async function findLanding(db: Db, { companyId, day }: Day, visitor: string): Promise<Landing | undefined> {
  const [landing] = await latestLanding(db, companyId, day, visitor)
  return landing
}

/** Days of a company that ended in a stretch of time and were counted. The day is a number, such as 20270303. */
export function findCounted(db: Db, companyId: number, stretch: Stretch, limit: number): Promise<Found> {
  return findWithin(
    db,
    sql`select to_char(day, 'YYYYMMDD')::int as id, ends_at as at from traffic_days
      where company_id = ${companyId} and salt is null`,
    stretch,
    limit,
  )
}
