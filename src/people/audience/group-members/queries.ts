import { sql } from 'kysely'
import { readCounter } from '#platform/db/counters.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition, type Row } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily, type Value } from '#platform/db/prepared.ts'
import { readTime } from '#platform/wire/times.ts'
import { groupMemberNotFound } from '../errors.ts'
import { conditionsFor, type GivenValues, PERSON, readPersonFilters } from '../filters.queries.ts'
import type { Follower } from '../rules.ts'
import type { GroupMemberFilters } from './schema.ts'
import type { GroupMemberState } from './state.ts'

export const GROUP_MEMBERS = 'group_members'

/** Every read of group members starts here, so none can forget the company. */
export function groupMembersOf(db: Db, companyId: number) {
  return db.selectFrom('group_members').where('group_members.company_id', '=', companyId)
}

const CONDITIONS = {
  ...PERSON,
  group_id: (id: Value) => condition`group_id = ${id}::text`,
  end_at_min: (time: Value) => condition`end_at >= ${time}::timestamptz`,
  end_at_max: (time: Value) => condition`end_at <= ${time}::timestamptz`,
  started_at: (now: Value) => condition`(start_at is null or start_at <= ${now}::timestamptz)`,
  not_started_at: (now: Value) => condition`start_at > ${now}::timestamptz`,
  not_ended_at: (now: Value) => condition`(end_at is null or end_at > ${now}::timestamptz)`,
  ended_at: (now: Value) => condition`end_at <= ${now}::timestamptz`,
}

type Given = GivenValues<keyof typeof CONDITIONS>

function filtered(db: Db, { company, ...given }: Given & { company: number }) {
  return groupMembersOf(db, company).where((where) => where.and(conditionsFor(CONDITIONS, given)))
}

function readFilters(filters: GroupMemberFilters & { since_id?: number }, now: Date): Given {
  const { group_id, state } = filters
  return {
    ...readPersonFilters(filters),
    group_id: group_id?.toLowerCase(),
    end_at_min: readTime(filters.end_at_min),
    end_at_max: readTime(filters.end_at_max),
    started_at: state === 'active' ? now : undefined,
    not_started_at: state === 'not_started' ? now : undefined,
    not_ended_at: state === 'active' ? now : undefined,
    ended_at: state === 'ended' ? now : undefined,
  }
}

const listed = prepareList((db: Db, given: Given & { company: number }) => filtered(db, given).selectAll())

export function listGroupMembers(
  db: Db,
  companyId: number,
  filters: GroupMemberFilters,
  now: Date,
): RowList<GroupMemberState> {
  return listed(db, { ...readFilters(filters, now), since_id: undefined, company: companyId })
}

const counted = prepareFamily((db: Db, given: Given & { company: number }) =>
  filtered(db, given)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** The counter has the number of all group members; filtered ones are counted in an index. */
export async function countGroupMembers(
  db: Db,
  companyId: number,
  filters: GroupMemberFilters & { since_id?: number },
  now: Date,
): Promise<number> {
  const given = readFilters(filters, now)
  if (Object.values(given).every((value) => value === undefined)) return readCounter(db, companyId, GROUP_MEMBERS)
  const [row] = await counted(db, { ...given, company: companyId })
  return row?.count ?? 0
}

const byId = prepare((db: Db, companyId: number, id: number) =>
  groupMembersOf(db, companyId).selectAll().where('group_members.id', '=', id).compile(),
)

/** A group member; another company's is not found. */
export async function getGroupMember(db: Db, companyId: number, ref: string): Promise<GroupMemberState> {
  const [member] = /^\d{1,15}$/.test(ref) ? await byId(db, companyId, Number(ref)) : []
  if (member === undefined) throw groupMemberNotFound(ref)
  return member
}

/** getGroupMember that locks the row until the transaction ends: do this before deciding on a change. */
export async function lockGroupMember(tx: Tx, companyId: number, ref: string): Promise<GroupMemberState> {
  if (!/^\d{1,15}$/.test(ref)) throw groupMemberNotFound(ref)
  const member = await groupMembersOf(tx, companyId)
    .selectAll()
    .where('group_members.id', '=', Number(ref))
    .forUpdate()
    .executeTakeFirst()
  if (member === undefined) throw groupMemberNotFound(ref)
  return member
}

const ofPerson = prepare((tx: Tx, companyIds: readonly number[], token: string, email: string) =>
  sql<Row<'group_members'>>`select * from group_members where company_id = any(${companyIds}::bigint[])
    and (customer_token = ${token} or (customer_token is null and lower(email) = lower(${email})))
    order by company_id, id for update`.compile(tx),
)

/** Locks the entries of a customer, and those that have no more than the customer's address, in these companies. */
export function lockGroupMembersOf(
  tx: Tx,
  companyIds: readonly number[],
  { token, email }: Follower,
): Promise<GroupMemberState[]> {
  return ofPerson(tx, companyIds, token, email)
}
