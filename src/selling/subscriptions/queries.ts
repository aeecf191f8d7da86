import { sql } from 'kysely'
import { emailFor } from '#people/accounts/queries.ts'
import { type CustomerWords, idsFitting, readWords } from '#people/accounts/search.queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { type Columns, condition, type Found, findWithin, type Stretch } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import { findStanding, lockSale } from '#selling/orders/queries.ts'
import { readPaymentsOfOrder } from '#selling/payments/queries.ts'
import { subscriptionNotFound } from './errors.ts'
import type { OpenPeriod } from './rules.ts'
import type { SubscriptionFilters } from './schema.ts'
import type { ChangeState, ListedSubscription, PeriodState, SubscriptionState } from './state.ts'

export const SUBSCRIPTIONS = 'subscriptions'

/** Every read of subscriptions starts here, so none can forget the company. */
export function subscriptionsOf(db: Db, companyId: number) {
  return db.selectFrom('subscriptions').where('subscriptions.company_id', '=', companyId)
}

type Narrowed = Pick<SubscriptionState, 'status' | 'ended_because' | 'gateway' | 'source_name'>

const wholeOf = (db: Db, companyId: number) => subscriptionsOf(db, companyId).selectAll().$narrowType<Narrowed>()

const shownOf = (rows: Rows) =>
  rows.selectAll('subscriptions').select(emailFor('subscriptions').as('email')).$narrowType<Narrowed>()

type Given = Optional<{
  status: string
  group_id: string
  plan_id: number
  customer_token: string
  order_id: number
  renews_before: Date
  since_id: number
}>

type Rows = ReturnType<typeof subscriptionsOf>

const FILTERS: Filters<Rows, Given> = {
  status: (rows, status) => rows.where('subscriptions.status', '=', status),
  group_id: (rows, id) => rows.where('subscriptions.group_id', '=', id),
  plan_id: (rows, id) => rows.where('subscriptions.plan_id', '=', id),
  customer_token: (rows, token) => rows.where('subscriptions.customer_token', '=', token),
  order_id: (rows, id) =>
    rows.where(condition`subscriptions.id = (select period.subscription_id from subscription_periods as period
      where period.company_id = subscriptions.company_id and period.order_id = ${id})`),
  renews_before: (rows, time) => rows.where('subscriptions.period_end', '<', time),
  since_id: (rows, id) => rows.where('subscriptions.id', '>', id),
}

function readFilters({
  q,
  group_id,
  renews_before,
  ...filters
}: SubscriptionFilters & { since_id?: number }): Given & CustomerWords {
  return {
    ...(q === undefined ? {} : readWords(q)),
    status: filters.status,
    group_id: group_id?.toLowerCase(),
    plan_id: filters.plan_id,
    customer_token: filters.customer_token?.trim().toUpperCase(),
    order_id: filters.order_id,
    renews_before: renews_before === undefined ? undefined : new Date(renews_before),
    since_id: filters.since_id,
  }
}

type Asked = Given & CustomerWords & { company: number }

/** The subscriptions that fit, of the customers whom the words fit. */
function fitting(db: Db, { company, name, otherName, thirdName, wholeName, address, ...given }: Asked): Rows {
  const rows = narrow(subscriptionsOf(db, company), FILTERS, given)
  const ids = idsFitting(company, { name, otherName, thirdName, wholeName, address })
  return ids === undefined ? rows : rows.where(condition`subscriptions.customer_id = any(array(${ids}))`)
}

const listed = prepareList((db: Db, asked: Asked) => shownOf(fitting(db, asked)))

export function listSubscriptions(
  db: Db,
  companyId: number,
  filters: SubscriptionFilters,
): RowList<ListedSubscription> {
  return listed(db, { ...readFilters(filters), since_id: undefined, company: companyId })
}

const counted = prepareFamily((db: Db, asked: Asked) =>
  fitting(db, asked)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

export async function countSubscriptions(
  db: Db,
  companyId: number,
  filters: SubscriptionFilters & { since_id?: number },
): Promise<number> {
  const [row] = await counted(db, { ...readFilters(filters), company: companyId })
  return row?.count ?? 0
}

const byId = prepare((db: Db, companyId: number, id: number) =>
  shownOf(subscriptionsOf(db, companyId)).where('subscriptions.id', '=', id).compile(),
)

/** Undefined if there is none, or it is another company's. */
export async function findSubscription(db: Db, companyId: number, id: number): Promise<ListedSubscription | undefined> {
  const [subscription] = await byId(db, companyId, id)
  return subscription
}

/** A subscription; another company's is not found. */
export async function getSubscription(db: Db, companyId: number, ref: string): Promise<ListedSubscription> {
  const [subscription] = /^\d{1,15}$/.test(ref) ? await byId(db, companyId, Number(ref)) : []
  if (subscription === undefined) throw subscriptionNotFound(ref)
  return subscription
}

const locking = prepare((tx: Tx, companyId: number, id: number) =>
  wholeOf(tx, companyId).where('subscriptions.id', '=', id).forNoKeyUpdate().compile(),
)

/** Locks a subscription. Everybody who changes one locks it before its customer and its orders. */
export async function lockSubscription(tx: Tx, companyId: number, ref: string): Promise<SubscriptionState> {
  const [subscription] = /^\d{1,15}$/.test(ref) ? await locking(tx, companyId, Number(ref)) : []
  if (subscription === undefined) throw subscriptionNotFound(ref)
  return subscription
}

/** The subscriptions of a customer, newest first. */
export function readSubscriptionsOf(
  db: Db,
  companyId: number,
  customerId: number,
  limit?: number,
): Promise<SubscriptionState[]> {
  return wholeOf(db, companyId)
    .where('subscriptions.customer_id', '=', customerId)
    .orderBy('subscriptions.id', 'desc')
    .$if(limit !== undefined, (rows) => rows.limit(limit ?? 0))
    .execute()
}

/** Every read of periods starts here, so none can forget the company. */
function periodsOf(db: Db, companyId: number, subscriptionId: number) {
  return db
    .selectFrom('subscription_periods')
    .where('subscription_periods.company_id', '=', companyId)
    .where('subscription_periods.subscription_id', '=', subscriptionId)
    .selectAll()
    .$narrowType<Pick<PeriodState, 'status'>>()
}

/** The periods of a subscription, newest first. */
export function readPeriods(db: Db, companyId: number, subscriptionId: number, limit: number): Promise<PeriodState[]> {
  return periodsOf(db, companyId, subscriptionId).orderBy('number', 'desc').limit(limit).execute()
}

const openOf = prepare((db: Db, companyId: number, subscriptionId: number) =>
  periodsOf(db, companyId, subscriptionId)
    .where('status', '=', sql.lit('open'))
    .orderBy('number', 'desc')
    .limit(1)
    .compile(),
)

/** The period that is not paid yet, with its order and the attempts to pay it. */
export async function findOpenPeriod(
  db: Db,
  { company_id, id }: Pick<SubscriptionState, 'company_id' | 'id'>,
): Promise<OpenPeriod | undefined> {
  const [period] = await openOf(db, company_id, id)
  if (period === undefined) return undefined
  const [order, payments] = await Promise.all([
    findStanding(db, company_id, period.order_id),
    readPaymentsOfOrder(db, company_id, period.order_id),
  ])
  return {
    ...period,
    isOrderPaid: order !== undefined && order.financial_status !== 'pending' && order.cancelled_at === null,
    isOrderCancelled: order === undefined || order.cancelled_at !== null,
    payments,
  }
}

/**
 * findOpenPeriod while nobody can begin to pay its order, for those who are about to take it back: its money may arrive in the same
 * moment. Lock the subscription first.
 */
export async function holdOpenPeriod(
  tx: Tx,
  subscription: Pick<SubscriptionState, 'company_id' | 'id'>,
): Promise<OpenPeriod | undefined> {
  const seen = await findOpenPeriod(tx, subscription)
  if (seen === undefined || seen.isOrderPaid || seen.isOrderCancelled) return seen
  await lockSale(tx, subscription.company_id, String(seen.order_id))
  return findOpenPeriod(tx, subscription)
}

const numbered = prepare((db: Db, companyId: number, subscriptionId: number, number: number) =>
  periodsOf(db, companyId, subscriptionId).where('number', '=', number).compile(),
)

/** One period of a subscription, by its number. */
export async function findPeriod(
  db: Db,
  companyId: number,
  subscriptionId: number,
  number: number,
): Promise<PeriodState | undefined> {
  const [period] = await numbered(db, companyId, subscriptionId, number)
  return period
}

const lastOf = prepare((db: Db, companyId: number, subscriptionId: number) =>
  periodsOf(db, companyId, subscriptionId).orderBy('number', 'desc').limit(1).compile(),
)

/** The number of the last period that was ever opened. */
export async function readLastNumber(db: Db, companyId: number, subscriptionId: number): Promise<number> {
  const [last] = await lastOf(db, companyId, subscriptionId)
  return last?.number ?? 0
}

type OfSubscription = { company: number; subscription: number }

const listedPeriods = prepareList((db: Db, { company, subscription }: OfSubscription) =>
  periodsOf(db, company, subscription),
)

export function listPeriods(db: Db, { company_id, id }: SubscriptionState): RowList<PeriodState> {
  return listedPeriods(db, { company: company_id, subscription: id })
}

const listedChanges = prepareList((db: Db, { company, subscription }: OfSubscription) =>
  db
    .selectFrom('subscription_changes')
    .selectAll()
    .where('subscription_changes.company_id', '=', company)
    .where('subscription_changes.subscription_id', '=', subscription)
    .$narrowType<Pick<ChangeState, 'kind' | 'details'>>(),
)

/** What happened to a subscription last, the latest first. */
export function readChanges(
  db: Db,
  { company_id, id }: Pick<SubscriptionState, 'company_id' | 'id'>,
  limit: number,
): Promise<ChangeState[]> {
  return db
    .selectFrom('subscription_changes')
    .selectAll()
    .where('subscription_changes.company_id', '=', company_id)
    .where('subscription_changes.subscription_id', '=', id)
    .$narrowType<Pick<ChangeState, 'kind' | 'details'>>()
    .orderBy('subscription_changes.id', 'desc')
    .limit(limit)
    .execute()
}

/** What happened to a subscription. */
export function listChanges(db: Db, { company_id, id }: SubscriptionState): RowList<ChangeState> {
  return listedChanges(db, { company: company_id, subscription: id })
}

/**
 * Is or was the customer a member of the group by subscription? A trial is for those who were not. A sign-up that was never finished
 * does not count: who tries again with another card has used nothing.
 */
export async function wasSubscribed(db: Db, companyId: number, customerId: number, groupId: string): Promise<boolean> {
  const found = await subscriptionsOf(db, companyId)
    .select('subscriptions.id')
    .where('subscriptions.customer_id', '=', customerId)
    .where('subscriptions.group_id', '=', groupId)
    .where('subscriptions.status', '<>', sql.lit('incomplete'))
    .where(condition`coalesce(subscriptions.ended_because, '') not in ('abandoned', 'replaced')`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The subscription that a customer has to a group, if there is one that has not ended. The customer is locked. */
export function findCurrent(
  db: Db,
  companyId: number,
  customerId: number,
  groupId: string,
): Promise<SubscriptionState | undefined> {
  return wholeOf(db, companyId)
    .where('subscriptions.customer_id', '=', customerId)
    .where('subscriptions.group_id', '=', groupId)
    .where('subscriptions.status', '<>', sql.lit('ended'))
    .executeTakeFirst()
}

/** When the next subscription of a company is due, after one time and no later than another. */
export async function findNextDueAt(db: Db, companyId: number, after: Date, until: Date): Promise<Date | undefined> {
  const { at } = await subscriptionsOf(db, companyId)
    .where('due_at', '>', after)
    .where('due_at', '<=', until)
    .select(({ fn }) => fn.min('due_at').as('at'))
    .executeTakeFirstOrThrow()
  return at ?? undefined
}

/**
 * Subscriptions whose plan or price has changed since they were compared, after one of them: those of all companies, or of one
 * only.
 */
export function readRepriced(db: Db, after: Due, limit: number, only?: number): Promise<Due[]> {
  return db
    .selectFrom('subscriptions')
    .select(['company_id', 'id'])
    .$if(only !== undefined, (rows) => rows.where('company_id', '=', only ?? 0))
    .where('status', 'in', ['trialing', 'active', 'past_due', 'paused'])
    .where('next_plan_id', 'is', null)
    .where(condition`exists (select from plans join prices on prices.company_id = plans.company_id and prices.id = plans.price_id
      where plans.company_id = subscriptions.company_id and plans.id = subscriptions.plan_id
        and greatest(plans.updated_at, prices.modified_at) > subscriptions.price_checked_at)`)
    .where(condition`(company_id, id) > (${after.company_id}, ${after.id})`)
    .orderBy('company_id')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export type Due = Columns<'subscriptions', 'company_id' | 'id'>

/** What happened to the subscriptions of a company in a stretch of time. */
export const findChangesOf =
  (...kinds: ChangeState['kind'][]) =>
  (db: Db, companyId: number, stretch: Stretch, limit: number): Promise<Found> =>
    findWithin(
      db,
      sql`select subscription_id as id, created_at as at from subscription_changes
        where company_id = ${companyId} and kind = any(${kinds}::text[])`,
      stretch,
      limit,
    )
