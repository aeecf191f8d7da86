import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { groupMemberState } from './rules.ts'
import type { GroupMember } from './schema.ts'
import type { GroupMemberState } from './state.ts'

/** A group member as the API shows it. It is presented when it is read, because its state changes with time. */
export function presentGroupMember(member: GroupMemberState, now: Date): GroupMember {
  return {
    id: member.id,
    email: member.email,
    customer_token: member.customer_token,
    group_id: member.group_id,
    start_at: wireTimeOrNull(member.start_at),
    end_at: wireTimeOrNull(member.end_at),
    state: groupMemberState(member, now),
    created_at: wireTime(member.created_at),
    updated_at: wireTime(member.updated_at),
  }
}
