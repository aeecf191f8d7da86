import { sql } from 'kysely'
import { emit } from '#history/events/emit.commands.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { asciiJson, wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { groupMemberTaken } from '../errors.ts'
import { getPerson } from '../queries.ts'
import { assertStorable, type Follower, followed, laterEnd } from '../rules.ts'
import { presentGroupMember } from './present.ts'
import { GROUP_MEMBERS, lockGroupMember, lockGroupMembersOf } from './queries.ts'
import { changeGroupMember, mergeGroupMembers, newGroupMember } from './rules.ts'
import type { GroupMemberChange, GroupMemberInput } from './schema.ts'
import type { GroupMemberState } from './state.ts'

type Owner = Pick<Caller, 'companyId'>

const eventData = ({ id }: GroupMemberState) => ({ type: 'groupmember', id: String(id) }) as const

/** Adds a person to a group. A person is in a group once, for one period. */
export async function createGroupMember(
  tx: Tx,
  { companyId }: Owner,
  input: GroupMemberInput,
  now: Date,
): Promise<Written<GroupMemberState>> {
  assertStorable(input)
  const { email, customer_token } = await getPerson(tx, companyId, input)
  const { takeRowId } = await takeIds(tx, GROUP_MEMBERS, 1, 0)
  const identity = { company_id: companyId, id: takeRowId(), email, customer_token }
  const member = newGroupMember(identity, input, now)
  await tx.insertInto('group_members').values(member).execute().catch(refuseTaken)
  await adjustCounter(tx, companyId, GROUP_MEMBERS, 1)
  await emit(tx, companyId, 'groupmember/create', now, [eventData(member)])
  return written(member, now)
}

/** Changes the fields that the input names. */
export async function updateGroupMember(
  tx: Tx,
  { companyId }: Owner,
  ref: string,
  input: GroupMemberChange,
  now: Date,
): Promise<Written<GroupMemberState>> {
  const before = await lockGroupMember(tx, companyId, ref)
  const member = changeGroupMember(before, input, now)
  if (member !== before) await save(tx, member, now)
  return written(member, now)
}

/** Makes a customer a member from now on until a time; null: without an end. Who is a member for longer already stays one. */
export async function admitUntil(
  tx: Tx,
  companyId: number,
  customer: Follower,
  { group_id, until }: { group_id: string; until: Date | null },
  now: Date,
): Promise<void> {
  const known = (await lockGroupMembersOf(tx, [companyId], customer)).find((each) => each.group_id === group_id)
  const end_at = wireTimeOrNull(known === undefined ? until : laterEnd(known.end_at, until))
  if (known === undefined)
    return void (await createGroupMember(tx, { companyId }, { customer_token: customer.token, group_id, end_at }, now))
  const isLater = known.start_at !== null && known.start_at > now
  const change = { end_at, ...(isLater ? { start_at: wireTime(now) } : {}) }
  await updateGroupMember(tx, { companyId }, String(known.id), change, now)
}

export async function deleteGroupMember(tx: Tx, { companyId }: Owner, ref: string): Promise<void> {
  await remove(tx, await lockGroupMember(tx, companyId, ref))
}

/** Called when companies come to know a customer, or when the customer's address changes. */
export async function followGroupMember(
  tx: Tx,
  companyIds: readonly number[],
  customer: Follower,
  now: Date,
): Promise<void> {
  const entries = await lockGroupMembersOf(tx, companyIds, customer)
  const { changed, dropped } = followed(entries, ({ group_id }) => group_id, mergeGroupMembers, customer, now)
  for (const { entry } of dropped) await remove(tx, entry)
  for (const member of changed) await save(tx, member, now)
}

/** Deletes the memberships that a company has of a customer, also those under the address alone. */
export async function deleteMembershipsOf(tx: Tx, companyId: number, { token, email }: Follower): Promise<void> {
  const { numAffectedRows = 0n } = await sql`delete from group_members where company_id = ${companyId}
    and (customer_token = ${token} or lower(email) = lower(${email}))`.execute(tx)
  await adjustCounter(tx, companyId, GROUP_MEMBERS, -Number(numAffectedRows))
}

async function save(tx: Tx, member: GroupMemberState, now: Date): Promise<void> {
  await tx
    .updateTable('group_members')
    .set(member)
    .where('company_id', '=', member.company_id)
    .where('id', '=', member.id)
    .execute()
    .catch(refuseTaken)
  await emit(tx, member.company_id, 'groupmember/update', now, [eventData(member)])
}

async function remove(tx: Tx, { company_id, id }: GroupMemberState): Promise<void> {
  await tx.deleteFrom('group_members').where('company_id', '=', company_id).where('id', '=', id).execute()
  await adjustCounter(tx, company_id, GROUP_MEMBERS, -1)
}

function written(member: GroupMemberState, now: Date): Written<GroupMemberState> {
  return { state: member, document: asciiJson(presentGroupMember(member, now)) }
}

function refuseTaken(error: { code?: string; constraint?: string }): never {
  throw error.code === '23505' && error.constraint === 'group_members_person'
    ? validationFailed('group_id', groupMemberTaken())
    : error
}
