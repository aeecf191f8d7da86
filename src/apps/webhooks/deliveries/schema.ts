import { type Static, Type } from 'typebox'
import { Id, nullable, Text, Time, TimeInput } from '#platform/wire/schema.ts'

const STATES = ['pending', 'delivered', 'failed'] as const

const Attempt = Type.Object({
  at: Time('When the attempt began.'),
  duration_ms: Type.Integer({ minimum: 0, description: 'How long it took, in milliseconds.' }),
  status: nullable(Type.Integer({ description: 'The HTTP status of the answer; null if there was none.' })),
  response: Type.String({ description: 'The first 2 KB of the answer.' }),
  code: nullable(
    Type.String({
      description: 'A word that names the cause of a failure; null if it was acknowledged.',
      examples: ['refused'],
    }),
  ),
  reason: nullable(
    Type.String({
      description: 'The cause of a failure in a sentence; null if it was acknowledged.',
      examples: ['The receiver answered 500.'],
    }),
  ),
})

export const Delivery = Type.Object(
  {
    id: Id('Id of the delivery. Read-only.'),
    webhook_id: Id('The webhook. Read-only.'),
    event_id: nullable(Id('The event, as in the log of events; null for a test. Read-only.')),
    message_id: Type.String({
      description: 'The `webhook-id` header, the same at every attempt.',
      examples: ['evt_1042'],
    }),
    topic: Type.String({ description: 'The topic.', examples: ['order/create'] }),
    data: Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()]), {
      description: 'What the event tells of.',
    }),
    state: Type.Unsafe<(typeof STATES)[number]>({
      type: 'string',
      enum: [...STATES],
      description:
        '`pending`: it will be sent, or sent again. `delivered`: the receiver acknowledged it. `failed`: it was given up.',
    }),
    attempts: Type.Array(Attempt, { description: 'Every attempt, oldest first; the last 50 are kept.' }),
    next_attempt_at: nullable(
      Time('When it is sent, or sent again, if nothing else is in the way; null if it is not waiting.'),
    ),
    created_at: Time('When it was queued. Read-only.'),
    done_at: nullable(Time('When it was acknowledged or given up.')),
  },
  { $id: 'Delivery' },
)

export const DeliveryFilters = Type.Object({
  state: Type.Optional(
    Type.Unsafe<(typeof STATES)[number]>({
      type: 'string',
      enum: [...STATES],
      description: 'Only those in this state.',
    }),
  ),
  created_at_min: Type.Optional(TimeInput('Queued at or after this time.')),
  created_at_max: Type.Optional(TimeInput('Queued at or before this time.')),
})

export const ReplayInput = Type.Object(
  {
    state: Type.Optional(
      Type.Unsafe<'failed'>({ type: 'string', enum: ['failed'], description: '`failed`: all that were given up.' }),
    ),
    from: Type.Optional(TimeInput('All that were queued at or after this time, whatever became of them.')),
    to: Type.Optional(TimeInput('All that were queued at or before this time, whatever became of them.')),
  },
  { $id: 'ReplayInput', examples: [{ state: 'failed' }] },
)

export const TestInput = Type.Object(
  {
    topic: Type.Optional(
      Text(100, 'The topic of the test event; that of the webhook unless it says otherwise.', ['order/create']),
    ),
  },
  { $id: 'TestInput', examples: [{ topic: 'order/create' }] },
)

export const Replayed = Type.Object(
  { replayed: Type.Integer({ minimum: 0, description: 'How many deliveries are sent again.' }) },
  { $id: 'Replayed' },
)

export type Delivery = Static<typeof Delivery>
export type DeliveryFilters = Static<typeof DeliveryFilters>
export type ReplayInput = Static<typeof ReplayInput>
export type TestInput = Static<typeof TestInput>
