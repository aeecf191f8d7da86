import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { versionWith } from '#platform/db/versions.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { RECORD_FIELDS, type SubscriptionRecord } from './rules.ts'

/** `sum(record[1])::float8 as active_count, …` */
const sums = sql.join(
  RECORD_FIELDS.map((name, place) => sql`coalesce(sum(record[${sql.lit(place + 1)}]), 0)::float8 as ${sql.ref(name)}`),
)

/** The same sums in the order in which records are stored. */
export const summedRecord = sql`array[${sql.join(
  RECORD_FIELDS.map((_, place) => sql`sum(record[${sql.lit(place + 1)}])::bigint`),
)}]`

/** What it takes to count a change of a subscription: what the lines of its timeline come to, its plan, and its company. */
export type Counting = SubscriptionRecord & {
  interval_count: number
  interval: PlanState['interval']
  home_currency: string
  utc_offset: number
}

const counting = prepare((db: Db, companyId: number, id: number, planId: number) =>
  sql<
    Counting & Columns<'plans', 'interval_count'>
  >`select sums.*, plans.interval, plans.interval_count, upper(companies.currency) as home_currency,
      coalesce((select time_zone from users where users.company_id = companies.id order by users.id limit 1), 0)
        as utc_offset
    from companies join plans on plans.company_id = companies.id and plans.id = ${planId}
    cross join lateral (
      select ${sums} from subscription_changes
      where subscription_changes.company_id = companies.id and subscription_id = ${id}
    ) as sums
    where companies.id = ${companyId}`.compile(db),
)

export async function readCounting(db: Db, companyId: number, id: number, planId: number): Promise<Counting> {
  const [row] = await counting(db, companyId, id, planId)
  if (row === undefined) throw new Error(`subscription ${id} of company ${companyId} has no plan ${planId}`)
  return row
}

/** The changes of a day; of null: all changes before the first day. */
export type SubscriptionDay = SubscriptionRecord & { date: string | null }

const days = prepare((db: Db, companyId: number, from: string, to: string) =>
  sql<SubscriptionDay>`select case when day >= ${from}::date then day::text end as date, ${sums}
    from (
      select day, record from subscription_days where company_id = ${companyId} and day <= ${to}::date
      union all
      select day, record from subscription_changes
      where company_id = ${companyId} and not counted and record is not null and day <= ${to}::date
    ) as part
    group by 1 order by 1 nulls first`.compile(db),
)

/** What changed on each day, and before all of them. Lines that were not added to the days yet are part of it. */
export function readSubscriptionDays(
  db: Db,
  companyId: number,
  { from, to }: { from: string; to: string },
): Promise<SubscriptionDay[]> {
  return days(db, companyId, from, to)
}

/** The version of the days that lines of timelines are added to. */
export const SUBSCRIPTION_DAYS = 'subscription_days'

/** Is another text whenever the statistics of subscriptions are others. */
export function subscriptionStatisticsVersion(companyId: number) {
  return versionWith(
    companyId,
    SUBSCRIPTION_DAYS,
    sql`select count(*) from subscription_changes
    where company_id = ${companyId} and not counted and record is not null`,
  )
}
