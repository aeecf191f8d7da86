import { endBeforeStart } from '#platform/errors/faults.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { changedBound, earlierStart, laterEnd, withTime } from '../rules.ts'
import type { GroupMemberChange, GroupMemberInput } from './schema.ts'
import type { GroupMemberState } from './state.ts'

type Identity = Pick<GroupMemberState, 'company_id' | 'id' | 'email' | 'customer_token'>

export function newGroupMember(identity: Identity, input: GroupMemberInput, now: Date): GroupMemberState {
  const blank = { ...identity, group_id: input.group_id, start_at: null, end_at: null }
  return changeGroupMember({ ...blank, created_at: now, updated_at: now }, input, now)
}

/** The member after a change: the same object if nothing changes. */
export function changeGroupMember(before: GroupMemberState, input: GroupMemberChange, now: Date): GroupMemberState {
  const start_at = changedBound(before.start_at, input.start_at)
  const end_at = changedBound(before.end_at, input.end_at)
  if (start_at !== null && end_at !== null && end_at <= start_at)
    throw validationFailed('end_at', endBeforeStart('must be after start_at'))
  return withTime(before, { ...before, group_id: input.group_id ?? before.group_id, start_at, end_at }, now)
}

/** It is computed, because it changes with time. */
export function groupMemberState(
  { start_at, end_at }: Pick<GroupMemberState, 'start_at' | 'end_at'>,
  now: Date,
): 'not_started' | 'active' | 'ended' {
  if (end_at !== null && end_at <= now) return 'ended'
  return start_at !== null && start_at > now ? 'not_started' : 'active'
}

/** Two memberships of one person in one group become one that covers both. */
export function mergeGroupMembers(kept: GroupMemberState, other: GroupMemberState): GroupMemberState {
  return {
    ...kept,
    start_at: earlierStart(kept.start_at, other.start_at),
    end_at: laterEnd(kept.end_at, other.end_at),
  }
}
