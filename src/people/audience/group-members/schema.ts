import { type Static, Type } from 'typebox'
import { nullable, reference, Text, Time, TimeInput } from '#platform/wire/schema.ts'
import { person, personFilters, personInput, stateFilter, stateOf, times } from '../schema.ts'

export const GROUP_MEMBER_STATES = ['not_started', 'active', 'ended'] as const

/** Like the groups of products, of two kinds. */
const group_id = Type.String({
  pattern: '^[cp](-1|[1-9][0-9]{0,17})$',
  description: 'Access group (`c`) or sharing group (`p`) and its id; -1 is all of that kind.',
  examples: ['c12'],
})
const START = 'Member from this time on; null: at once.'
const END = 'No longer a member at this time; null: for ever.'
const period = {
  start_at: Type.Optional(nullable(TimeInput(START))),
  end_at: Type.Optional(nullable(TimeInput(END))),
}

export const GroupMember = Type.Object(
  {
    ...person('group member'),
    group_id,
    start_at: nullable(Time(START)),
    end_at: nullable(Time(END)),
    state: stateOf(
      GROUP_MEMBER_STATES,
      '`not_started` before `start_at`, `ended` once `end_at` has come, `active` in between. Read-only.',
    ),
    ...times,
  },
  { $id: 'GroupMember' },
)

export const GroupMemberInput = Type.Object(
  { ...personInput, group_id: reference(group_id), ...period },
  { $id: 'GroupMemberInput', examples: [{ email: 'jane@example.com', group_id: 'c12' }] },
)

export const GroupMemberChange = Type.Object(
  { group_id: Type.Optional(reference(group_id)), ...period },
  { $id: 'GroupMemberChange', examples: [{ end_at: '2031-06-01' }] },
)

export const GroupMemberFilters = Type.Object({
  ...personFilters,
  group_id: Type.Optional(Text(30, 'Only members of this group.', ['c12'])),
  end_at_min: Type.Optional(TimeInput('Ends at this time or later. Without an end: not found.')),
  end_at_max: Type.Optional(TimeInput('Ends at this time or earlier.')),
  state: stateFilter(GROUP_MEMBER_STATES),
})

export type GroupMember = Static<typeof GroupMember>
export type GroupMemberInput = Static<typeof GroupMemberInput>
export type GroupMemberChange = Static<typeof GroupMemberChange>
export type GroupMemberFilters = Static<typeof GroupMemberFilters>
