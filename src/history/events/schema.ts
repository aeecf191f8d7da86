import { type Static, Type } from 'typebox'
import { Id, Text, Time, TimeInput } from '#platform/wire/schema.ts'

export const Event = Type.Object(
  {
    id: Id('Position of the event in the log. Later events have greater ids.'),
    topic: Type.String({ description: 'What happened.', examples: ['order/create'] }),
    data: Type.Record(Type.String(), Type.String(), {
      description: 'The resource: its `type` and `id`, for products also `long_id`, for customers also `token`.',
      examples: [{ type: 'order', id: '1001' }],
    }),
    created_at: Time('When it happened.'),
  },
  { $id: 'Event' },
)

/** Enough for every topic in the plural. */
const TOPICS_MAX = 500

export const Topics = Text(TOPICS_MAX, 'Only events with this topic, or with one of several, comma-separated.', [
  'order/create,product/update',
])

export const EventFilters = Type.Object({
  topic: Type.Optional(Topics),
  created_at_min: Type.Optional(TimeInput('Happened at or after this time.')),
  created_at_max: Type.Optional(TimeInput('Happened at or before this time.')),
})

export type Event = Static<typeof Event>
export type EventFilters = Static<typeof EventFilters>
