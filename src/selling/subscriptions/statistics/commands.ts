import { sql } from 'kysely'
import { readRates } from '#catalog/currency-rates/queries.ts'
import { convertCents } from '#catalog/currency-rates/rules.ts'
import { findTestClock } from '#identity/test-clocks/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { raisedVersions, raiseVersion } from '#platform/db/versions.ts'
import { dayAt } from '#selling/orders/statistics/rules.ts'
import type { ChangeState, SubscriptionState } from '../state.ts'
import { type Counting, readCounting, SUBSCRIPTION_DAYS, summedRecord } from './queries.ts'
import { levelsOf, monthlyOf, RECORD_FIELDS, recordOf } from './rules.ts'

/** On which day something counts, and what it changes. */
export type Counted = { day: string; record: number[] }

/** What a line of the timeline changes in the statistics, and on which day. Tests change nothing, but in a sandbox. */
export async function countChange(
  tx: Tx,
  subscription: SubscriptionState,
  { kind, details }: Pick<ChangeState, 'kind' | 'details'>,
  now: Date,
): Promise<Counted | undefined> {
  const { company_id, id, plan_id } = subscription
  if (subscription.test && (await findTestClock(tx, company_id)) === undefined) return undefined
  const counting = await readCounting(tx, company_id, id, plan_id)
  const levels = levelsOf(subscription, await monthlyCents(tx, subscription, counting))
  const record = recordOf({ kind, because: details.because }, counting, levels)
  if (RECORD_FIELDS.every((name) => record[name] === 0)) return undefined
  return { day: dayAt(now, counting.utc_offset), record: RECORD_FIELDS.map((name) => record[name]) }
}

/** The agreed price for a month, in the home currency at the rate of today. Without a rate it counts nothing. */
async function monthlyCents(tx: Tx, { amount_cents, currency }: SubscriptionState, counting: Counting) {
  const cents = monthlyOf(amount_cents, counting)
  if (currency === counting.home_currency) return cents
  return convertCents(cents, currency, counting.home_currency, await readRates(tx)) ?? 0
}

const added = sql`array[${sql.join(
  RECORD_FIELDS.map(
    (_, place) => sql`subscription_days.record[${sql.lit(place + 1)}] + excluded.record[${sql.lit(place + 1)}]`,
  ),
)}]`

/** Adds lines of timelines of all companies to the days, and returns how many there were. Two workers take different ones. */
export async function addChangesToDays(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<Columns<'subscription_changes', 'company_id'>>`with chosen as materialized (
      select company_id, id from subscription_changes where not counted and record is not null
      order by company_id, id limit ${limit} for update skip locked
    ), taken as (
      update subscription_changes set counted = true from chosen
      where subscription_changes.company_id = chosen.company_id and subscription_changes.id = chosen.id
      returning subscription_changes.company_id, subscription_changes.day, subscription_changes.record
    ), added as (
      insert into subscription_days (company_id, day, record)
      select company_id, day, ${summedRecord} from taken group by company_id, day order by company_id, day
      on conflict (company_id, day) do update set record = ${added}
    ), versions_raised as (${raisedVersions(SUBSCRIPTION_DAYS, sql`select company_id from taken`)})
    select company_id from taken`.execute(tx)
  return rows.length
}

/** Counts the days of a company from scratch: from the timelines of all its subscriptions. */
export async function correctSubscriptionDays(tx: Tx, companyId: number): Promise<void> {
  // Nobody adds lines to the days meanwhile. Those that are written from now on are added later.
  await sql`lock table subscription_days in share row exclusive mode`.execute(tx)
  await tx.deleteFrom('subscription_days').where('company_id', '=', companyId).execute()
  await sql`with taken as (
      update subscription_changes set counted = true where company_id = ${companyId} and record is not null
      returning day, record
    )
    insert into subscription_days (company_id, day, record)
    select ${companyId}::bigint, day, ${summedRecord} from taken group by day`.execute(tx)
  await raiseVersion(tx, companyId, SUBSCRIPTION_DAYS)
}
