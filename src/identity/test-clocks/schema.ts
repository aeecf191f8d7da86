import { type Static, Type } from 'typebox'
import { nullable, Time, TimeInput } from '#platform/wire/schema.ts'
import { HAPPENED_KINDS } from './happened.facts.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const HappenedEvent = Type.Object({
  kind: Type.Enum([...HAPPENED_KINDS], { description: 'What happened.' }),
  at: Time('When, by the clock of the sandbox.'),
  id: Type.Integer({
    description:
      'Id of the subscription, the entitlement, the mail or the webhook. For a day that was closed, the day as a number such as 20270303.',
  }),
})

const Move = Type.Object({
  from: Time('Where it began.'),
  to: Time('Where it ended, or where it will end.'),
  stopped_because: nullable(Type.String({ description: 'Why it ended before its goal. Null: it did not.' })),
  counts: Type.Object(
    {
      renewal_charged: Count('Periods of subscriptions that were paid.'),
      renewal_failed: Count('Charges that failed.'),
      subscription_ended: Count('Subscriptions that ended.'),
      rental_ended: Count('Rights of customers that ended.'),
      mail_written: Count('Mails that were written. A sandbox keeps them and sends none.'),
      webhook_attempt: Count('Attempts to deliver an event to a webhook.'),
      day_closed: Count('Days that were over.'),
    },
    { description: 'How often each of them happened.' },
  ),
  events: Type.Array(HappenedEvent, { description: 'The first of them, at most 100 of each kind, in order.' }),
})

export const TestClock = Type.Object(
  {
    now: Time('What time it is in the sandbox.'),
    status: Type.Enum(['running', 'moving'], {
      description: '`moving`: a move is under way, and `now` is how far it came. It goes on by itself.',
    }),
    last_move: nullable(
      Type.Unsafe<Static<typeof Move>>({
        ...Move,
        description: 'What the last move did, or has done so far. Null: the clock was never moved.',
      }),
    ),
  },
  { $id: 'TestClock' },
)
export type TestClock = Static<typeof TestClock>

const move = {
  advance: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'How far, as a duration of ISO 8601. Months are calendar months.',
      examples: ['P1M'],
    }),
  ),
  at: Type.Optional(TimeInput('Where to, instead of `advance`.')),
}

/** Both spellings are understood: what is inside of the key counts. */
export const MoveInput = Type.Object({
  ...move,
  test_clock: Type.Optional(Type.Object(move, { description: 'The move. It may also stand in the body itself.' })),
})
export type MoveInput = Static<typeof MoveInput>
