import { sql } from 'kysely'
import { groupMembersOf } from '#people/audience/group-members/queries.ts'
import { subscribersOf } from '#people/audience/subscribers/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { type Columns, condition } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import { groupNotFound } from './errors.ts'
import { isGroupId } from './rules.ts'
import type { CountedGroup, GroupState } from './state.ts'

export const GROUPS = 'groups'

/** Every read of groups starts here, so none can forget the company. */
export function groupsOf(db: Db, companyId: number) {
  return db.selectFrom('groups').where('groups.company_id', '=', companyId)
}

const whole = (db: Db, companyId: number) =>
  groupsOf(db, companyId).selectAll().$narrowType<Pick<GroupState, 'locales'>>()

/** Counted in the index of each table: subscription groups have subscribers, the others members. */
const counted = (db: Db, companyId: number) =>
  whole(db, companyId).select((select) => {
    const subscribers = subscribersOf(db, companyId)
      .where(condition`subscribers.group_id = groups.group_id`)
      .select((rows) => rows.fn.countAll<number>().as('count'))
    const members = groupMembersOf(db, companyId)
      .where(condition`group_members.group_id = groups.group_id`)
      .select((rows) => rows.fn.countAll<number>().as('count'))
    const orNone = (people: typeof subscribers | typeof members) => select.fn.coalesce(people, select.lit(0))
    return select(orNone(subscribers), '+', orNone(members)).as('members')
  })

const allOf = prepareList((db: Db, { company }: { company: number }) => counted(db, company))

export function listGroups(db: Db, companyId: number): RowList<CountedGroup> {
  return allOf(db, { company: companyId })
}

const countAfter = prepare((db: Db, companyId: number, after: number) =>
  groupsOf(db, companyId)
    .where('groups.id', '>', after)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** A company has a thousand at most, so they are counted in the table. */
export async function countGroups(db: Db, companyId: number, sinceId = 0): Promise<number> {
  const [row] = await countAfter(db, companyId, sinceId)
  return row?.count ?? 0
}

const byGroupId = prepare((db: Db, companyId: number, groupId: string) =>
  counted(db, companyId).where('groups.group_id', '=', groupId).compile(),
)

/** A group as it stands, without its number of members; undefined if the company has none with this id. */
export function findGroup(db: Db, companyId: number, groupId: string): Promise<GroupState | undefined> {
  return whole(db, companyId).where('groups.group_id', '=', groupId).executeTakeFirst()
}

/** A group by letter and number; another company's is not found. */
export async function getGroup(db: Db, companyId: number, ref: string): Promise<CountedGroup> {
  const [group] = isGroupId(ref) ? await byGroupId(db, companyId, ref.toLowerCase()) : []
  if (group === undefined) throw groupNotFound(ref)
  return group
}

/** getGroup that locks the row until the transaction ends: do this before deciding on a change. */
export async function lockGroup(tx: Tx, companyId: number, ref: string): Promise<GroupState> {
  const group = isGroupId(ref)
    ? await whole(tx, companyId).where('groups.group_id', '=', ref.toLowerCase()).forNoKeyUpdate().executeTakeFirst()
    : undefined
  if (group === undefined) throw groupNotFound(ref)
  return group
}

/** The number after the highest that a group of this letter has, also where only a product or a person names it. */
export async function readNextNumber(tx: Tx, companyId: number, letter: string): Promise<number> {
  const { rows } = await sql<
    Columns<'groups', 'id'>
  >`select coalesce(max(substr(named.group_id, 2)::bigint), 0) + 1 as id from (
      select group_id from groups where company_id = ${companyId}
      union all select group_id from product_groups where company_id = ${companyId}
      union all select group_id from subscribers where company_id = ${companyId}
      union all select group_id from group_members where company_id = ${companyId}) as named
    where named.group_id like ${`${letter}%`} and named.group_id not like '%-1' and length(named.group_id) < 16`.execute(
    tx,
  )
  return rows[0]?.id ?? 1
}
