import { type Static, Type } from 'typebox'
import { Id, nullable, Text, Time } from '#platform/wire/schema.ts'

const TEXT_MAX = 5000

const KINDS = [
  'placed',
  'paid',
  'confirmation_sent_again',
  'mailed',
  'mail_failed',
  'first_used',
  'downloaded',
  'shipped',
  'refunded',
  'invoiced',
  'credited',
  'cancelled',
  'note',
] as const
const AUTHORS = ['customer', 'user', 'app', 'service'] as const

const OneOf = <Word extends string>(words: readonly Word[], description: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words], description })

export const TimelineEntry = Type.Object(
  {
    id: Id('Its place among what happened, from 1.'),
    kind: OneOf(KINDS, 'What happened.'),
    created_at: Time('When it happened.'),
    by: OneOf(AUTHORS, 'Who did it. `service`: it follows from something else, or nobody is known.'),
    name: nullable(
      Text(TEXT_MAX, 'Name of the user or the app, if it is known. Apps do not learn the names of users.'),
    ),
    amount: nullable(Type.Integer({ description: 'The money that moved, in cents of the currency of the order.' })),
    text: nullable(
      Text(
        TEXT_MAX,
        'More about it: the gateway of a payment, the subject of a mail, the title of content, the tracking number, the reason of a refund, the number of an invoice, the note.',
      ),
    ),
    url: nullable(Text(TEXT_MAX, 'Where a parcel can be followed.')),
    note_id: nullable(Id('The note.')),
  },
  { $id: 'TimelineEntry' },
)

export type TimelineEntry = Static<typeof TimelineEntry>
