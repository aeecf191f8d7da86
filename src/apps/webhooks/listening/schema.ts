import { type Static, Type } from 'typebox'
import { Topics } from '#history/events/schema.ts'

export const StreamQuery = Type.Object({
  topic: Type.Optional(Topics),
  since_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Begins after the event with this id. Without it the stream begins with the next event.',
    }),
  ),
})

export type StreamQuery = Static<typeof StreamQuery>
