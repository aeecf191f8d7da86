import { sql } from 'kysely'
import { readCounter } from '#platform/db/counters.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition, type Row } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily, type Value } from '#platform/db/prepared.ts'
import { readTime } from '#platform/wire/times.ts'
import { subscriberNotFound } from '../errors.ts'
import { conditionsFor, type GivenValues, PERSON, readPersonFilters } from '../filters.queries.ts'
import type { Follower } from '../rules.ts'
import type { SubscriberFilters } from './schema.ts'
import type { SubscriberState } from './state.ts'

export const SUBSCRIBERS = 'subscribers'

/** Every read of subscribers starts here, so none can forget the company. */
export function subscribersOf(db: Db, companyId: number) {
  return db.selectFrom('subscribers').where('subscribers.company_id', '=', companyId)
}

const CONDITIONS = {
  ...PERSON,
  group_id: (id: Value) => condition`group_id = ${id}::text`,
  ends_at_min: (time: Value) => condition`ends_at >= ${time}::timestamptz`,
  ends_at_max: (time: Value) => condition`ends_at <= ${time}::timestamptz`,
  active_at: (now: Value) => condition`(ends_at is null or ends_at > ${now}::timestamptz)`,
  ended_at: (now: Value) => condition`ends_at <= ${now}::timestamptz`,
}

type Given = GivenValues<keyof typeof CONDITIONS>

function filtered(db: Db, { company, ...given }: Given & { company: number }) {
  return subscribersOf(db, company).where((where) => where.and(conditionsFor(CONDITIONS, given)))
}

function readFilters(filters: SubscriberFilters & { since_id?: number }, now: Date): Given {
  const { group_id, state } = filters
  return {
    ...readPersonFilters(filters),
    group_id: group_id?.toLowerCase(),
    ends_at_min: readTime(filters.ends_at_min),
    ends_at_max: readTime(filters.ends_at_max),
    active_at: state === 'active' ? now : undefined,
    ended_at: state === 'ended' ? now : undefined,
  }
}

const listed = prepareList((db: Db, given: Given & { company: number }) => filtered(db, given).selectAll())

export function listSubscribers(
  db: Db,
  companyId: number,
  filters: SubscriberFilters,
  now: Date,
): RowList<SubscriberState> {
  return listed(db, { ...readFilters(filters, now), since_id: undefined, company: companyId })
}

const counted = prepareFamily((db: Db, given: Given & { company: number }) =>
  filtered(db, given)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** The counter has the number of all subscribers; filtered ones are counted in an index. */
export async function countSubscribers(
  db: Db,
  companyId: number,
  filters: SubscriberFilters & { since_id?: number },
  now: Date,
): Promise<number> {
  const given = readFilters(filters, now)
  if (Object.values(given).every((value) => value === undefined)) return readCounter(db, companyId, SUBSCRIBERS)
  const [row] = await counted(db, { ...given, company: companyId })
  return row?.count ?? 0
}

const byId = prepare((db: Db, companyId: number, id: number) =>
  subscribersOf(db, companyId).selectAll().where('subscribers.id', '=', id).compile(),
)

/** A subscriber; another company's is not found. */
export async function getSubscriber(db: Db, companyId: number, ref: string): Promise<SubscriberState> {
  const [subscriber] = /^\d{1,15}$/.test(ref) ? await byId(db, companyId, Number(ref)) : []
  if (subscriber === undefined) throw subscriberNotFound(ref)
  return subscriber
}

/** getSubscriber that locks the row until the transaction ends: do this before deciding on a change. */
export async function lockSubscriber(tx: Tx, companyId: number, ref: string): Promise<SubscriberState> {
  if (!/^\d{1,15}$/.test(ref)) throw subscriberNotFound(ref)
  const subscriber = await subscribersOf(tx, companyId)
    .selectAll()
    .where('subscribers.id', '=', Number(ref))
    .forUpdate()
    .executeTakeFirst()
  if (subscriber === undefined) throw subscriberNotFound(ref)
  return subscriber
}

/** The entry of a customer in one group. */
export function lockSubscriberIn(
  tx: Tx,
  companyId: number,
  token: string,
  groupId: string,
): Promise<SubscriberState | undefined> {
  return subscribersOf(tx, companyId)
    .selectAll()
    .where('subscribers.customer_token', '=', token)
    .where('subscribers.group_id', '=', groupId)
    .forUpdate()
    .executeTakeFirst()
}

const ofPerson = prepare((tx: Tx, companyIds: readonly number[], token: string, email: string) =>
  sql<Row<'subscribers'>>`select * from subscribers where company_id = any(${companyIds}::bigint[])
    and (customer_token = ${token} or (customer_token is null and lower(email) = lower(${email})))
    order by company_id, id for update`.compile(tx),
)

/** Locks the entries of a customer, and those that have no more than the customer's address, in these companies. */
export function lockSubscribersOf(
  tx: Tx,
  companyIds: readonly number[],
  { token, email }: Follower,
): Promise<SubscriberState[]> {
  return ofPerson(tx, companyIds, token, email)
}
