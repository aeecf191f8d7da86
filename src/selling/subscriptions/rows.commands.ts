import { sql } from 'kysely'
import { setSubscription } from '#people/audience/subscribers/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import type { Due } from './queries.ts'
import { membershipEnd } from './rules.ts'
import type { ChangeKind, ChangeState, PeriodState, SubscriptionState } from './state.ts'
import { type Counted, countChange } from './statistics/commands.ts'

/** How subscriptions are stored, and how the lists of members follow them. */

export async function insertSubscription(tx: Tx, subscription: SubscriptionState): Promise<void> {
  await tx.insertInto('subscriptions').values(subscription).execute()
}

/**
 * Writes a subscription as a change makes it. Apps hear of every change of its state, as of a change of the subscriber, who is
 * made when the membership begins.
 */
export async function saveSubscription(
  tx: Tx,
  before: SubscriptionState | undefined,
  after: SubscriptionState,
  now: Date,
): Promise<void> {
  await storeSubscription(tx, after)
  await followMember(tx, before, after, now)
}

type Changed = Exclude<keyof SubscriptionState, 'company_id' | 'id'>

const CHANGED = Object.keys({
  amount_cents: true,
  anchor: true,
  announced_cents: true,
  announced_from: true,
  cancelled_at: true,
  committed_until: true,
  created_at: true,
  credit_cents: true,
  currency: true,
  customer_id: true,
  customer_token: true,
  due_at: true,
  ended_at: true,
  ended_because: true,
  ends_at: true,
  failures: true,
  gateway: true,
  group_id: true,
  means_changed_at: true,
  means_payment_id: true,
  next_means_payment_id: true,
  next_plan_id: true,
  paused_until: true,
  period_end: true,
  period_number: true,
  period_start: true,
  plan_id: true,
  price_checked_at: true,
  reminded_of: true,
  renewals_left: true,
  source_name: true,
  status: true,
  test: true,
  theme_setting_id: true,
  updated_at: true,
} satisfies Record<Changed, true>) as Changed[]

const update = prepareWrite(
  'update',
  'subscriptions',
  (tx: Tx, companyId: number, id: number, ...values: SubscriptionState[Changed][]) =>
    sql`update subscriptions set ${sql.join(CHANGED.map((name, index) => sql`${sql.ref(name)} = ${values[index]}`))}
      where company_id = ${companyId} and id = ${id}`.compile(tx),
)

/** saveSubscription for a customer who is no member of anything any more, or with a membership that follows on its own. */
export function storeSubscription(tx: Tx, subscription: SubscriptionState): Promise<void> {
  const { company_id, id } = subscription
  return update(tx, company_id, id, ...CHANGED.map((name) => subscription[name]))
}

export async function followMember(
  tx: Tx,
  before: SubscriptionState | undefined,
  after: SubscriptionState,
  now: Date,
): Promise<void> {
  const wasMember = before !== undefined && before.status !== 'incomplete'
  const isMember = after.status !== 'incomplete' && (wasMember || after.status !== 'ended')
  const isSame = before?.status === after.status && before.ends_at?.getTime() === after.ends_at?.getTime()
  if (!isMember || isSame) return
  const { company_id: companyId, customer_token, group_id } = after
  await setSubscription(tx, { companyId }, { customer_token, group_id }, membershipEnd(after, now), now)
}

const addPeriod = prepareWrite(
  'insert',
  'subscription_periods',
  (
    tx: Tx,
    companyId: number,
    subscriptionId: number,
    number: number,
    planId: number,
    orderId: number,
    startsAt: Date,
    endsAt: Date,
    creditCents: number,
    status: string,
    createdAt: Date,
  ) =>
    sql`insert into subscription_periods (company_id, subscription_id, number, plan_id, order_id, starts_at, ends_at,
        credit_cents, status, created_at)
      values (${companyId}, ${subscriptionId}, ${number}, ${planId}, ${orderId}, ${startsAt}, ${endsAt}, ${creditCents},
        ${status}, ${createdAt})`.compile(tx),
)

export function insertPeriod(tx: Tx, period: Omit<PeriodState, 'id'>): Promise<void> {
  const { company_id, subscription_id, number, plan_id, order_id } = period
  const { starts_at, ends_at, credit_cents, status, created_at } = period
  const spans = [starts_at, ends_at, credit_cents, status, created_at] as const
  return addPeriod(tx, company_id, subscription_id, number, plan_id, order_id, ...spans)
}

const updatePeriod = prepareWrite(
  'update',
  'subscription_periods',
  (tx: Tx, companyId: number, subscriptionId: number, number: number, status: string) =>
    sql`update subscription_periods set status = ${status}
      where company_id = ${companyId} and subscription_id = ${subscriptionId} and number = ${number}`.compile(tx),
)

export function setPeriodStatus(
  tx: Tx,
  { company_id, subscription_id, number }: Omit<PeriodState, 'id'>,
  status: PeriodState['status'],
): Promise<void> {
  return updatePeriod(tx, company_id, subscription_id, number, status)
}

const addChange = prepareWrite(
  'insert',
  'subscription_changes',
  (
    tx: Tx,
    companyId: number,
    subscriptionId: number,
    kind: string,
    details: string,
    now: Date,
    day: string | null,
    record: number[] | null,
  ) =>
    sql`insert into subscription_changes (company_id, subscription_id, kind, details, created_at, day, record)
      values (${companyId}, ${subscriptionId}, ${kind}, ${details}::jsonb, ${now}, ${day}::date, ${record}::bigint[])`.compile(
      tx,
    ),
)

/** A line of a timeline, with what it changes in the statistics. */
export type Line = Pick<ChangeState, 'company_id' | 'subscription_id' | 'kind' | 'details'> & {
  now: Date
  counted: Counted | undefined
}

/** The line that says what has happened to a subscription, as it is now. */
export async function lineOf(
  tx: Tx,
  subscription: SubscriptionState,
  kind: ChangeKind,
  now: Date,
  details: ChangeState['details'] = {},
): Promise<Line> {
  const { company_id, id: subscription_id } = subscription
  const counted = await countChange(tx, subscription, { kind, details }, now)
  return { company_id, subscription_id, kind, details, now, counted }
}

export function addLine(tx: Tx, { company_id, subscription_id, kind, details, now, counted }: Line): Promise<void> {
  const { day = null, record = null } = counted ?? {}
  return addChange(tx, company_id, subscription_id, kind, JSON.stringify(details), now, day, record)
}

/** Adds a line to the timeline of a subscription as it is now, and to what the statistics count. */
export async function note(...line: Parameters<typeof lineOf>): Promise<void> {
  const [tx] = line
  await addLine(tx, await lineOf(...line))
}

/** How long a worker has for a subscription before another one takes it. */
const LEASE_MINUTES = 60

/** Takes subscriptions of all companies for which something has to be done, the oldest first. */
export async function takeDue(tx: Tx, now: Date, limit: number, companyId?: number): Promise<Due[]> {
  const isAsked = companyId === undefined ? sql`` : sql`and company_id = ${companyId}`
  const { rows } = await sql<Columns<'subscriptions', 'company_id' | 'id'>>`with due as materialized (
      select company_id, id from subscriptions where due_at <= ${now} ${isAsked}
      order by due_at, company_id, id limit ${limit} for update skip locked)
    update subscriptions set due_at = ${now}::timestamptz + make_interval(mins => ${LEASE_MINUTES})
    from due where subscriptions.company_id = due.company_id and subscriptions.id = due.id
    returning subscriptions.company_id, subscriptions.id`.execute(tx)
  return rows
}
