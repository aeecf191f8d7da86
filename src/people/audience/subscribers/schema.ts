import { type Static, Type } from 'typebox'
import { nullable, reference, Text, Time, TimeInput } from '#platform/wire/schema.ts'
import { person, personFilters, personInput, stateFilter, stateOf, times } from '../schema.ts'

export const SUBSCRIBER_STATES = ['active', 'ended'] as const

/** Like the groups of products, of one kind. */
const group_id = Type.String({
  pattern: '^s(-1|[1-9][0-9]{0,17})$',
  description: 'Subscription group: `s` and its id; -1 is all of them.',
  examples: ['s12'],
})
const END = 'The subscription ends at this time; null: it has no end.'
const ends_at = Type.Optional(nullable(TimeInput(END)))

export const Subscriber = Type.Object(
  {
    ...person('subscriber'),
    group_id,
    ends_at: nullable(Time(END)),
    state: stateOf(SUBSCRIBER_STATES, '`active`, or `ended` once `ends_at` has come. Read-only.'),
    ...times,
  },
  { $id: 'Subscriber' },
)

export const SubscriberInput = Type.Object(
  { ...personInput, group_id: reference(group_id), ends_at },
  { $id: 'SubscriberInput', examples: [{ email: 'jane@example.com', group_id: 's12', ends_at: '2031-06-01' }] },
)

export const SubscriberChange = Type.Object(
  { group_id: Type.Optional(reference(group_id)), ends_at },
  { $id: 'SubscriberChange', examples: [{ ends_at: '2032-06-01' }] },
)

export const SubscriberFilters = Type.Object({
  ...personFilters,
  group_id: Type.Optional(Text(30, 'Only subscribers of this group.', ['s12'])),
  ends_at_min: Type.Optional(TimeInput('Ends at this time or later. Without an end: not found.')),
  ends_at_max: Type.Optional(TimeInput('Ends at this time or earlier.')),
  state: stateFilter(SUBSCRIBER_STATES),
})

export type Subscriber = Static<typeof Subscriber>
export type SubscriberInput = Static<typeof SubscriberInput>
export type SubscriberChange = Static<typeof SubscriberChange>
export type SubscriberFilters = Static<typeof SubscriberFilters>
