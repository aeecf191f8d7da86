import { type Static, Type } from 'typebox'
import { Id, nullable, Reference, Text, Time, TimeInput } from '#platform/wire/schema.ts'
import { person, personFilters, personInput, stateFilter, stateOf, times } from '../schema.ts'

export const NEWS_RECIPIENT_STATES = ['pending', 'confirmed', 'unsubscribed'] as const

/** Room for the name of a form, a page or a fair, with an address. */
const SOURCE_MAX = 500

const SOURCE =
  'Where the consent comes from, such as a form or a list on paper, as evidence. It belongs to `confirmed_at`.'

const LANGUAGE = 'Two-letter code of the language of mails to the recipient.'

export const NewsRecipient = Type.Object(
  {
    ...person('newsletter recipient'),
    theme_setting_id: Id('Theme setting (shop) whose newsletter it is. Read-only.'),
    language: Type.String({ description: `${LANGUAGE} Read-only.`, examples: ['en'] }),
    confirmed_at: nullable(Time('When the recipient agreed to get the newsletter; null: not yet.')),
    consent_source: nullable(
      Type.String({
        description: `${SOURCE} Null: from the link in our mail, or nobody has said.`,
        examples: ['Sign-up form of the old shop'],
      }),
    ),
    state: stateOf(
      NEWS_RECIPIENT_STATES,
      '`pending` until the recipient agrees, then `confirmed`, and `unsubscribed` once the recipient has left. Send mail to confirmed recipients only.',
    ),
    ...times,
  },
  { $id: 'NewsRecipient' },
)

export const NewsRecipientInput = Type.Object(
  {
    ...personInput,
    theme_setting_id: Type.Optional(
      Reference('Theme setting (shop) whose newsletter it is. Without it: the first one.'),
    ),
    language: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2}$',
        description: `${LANGUAGE} Default: that of the customer, else that of the company.`,
        examples: ['en'],
      }),
    ),
    confirmed_at: Type.Optional(
      TimeInput('When the person agreed, if your app has the consent. Without it the person is asked by mail.'),
    ),
    consent_source: Type.Optional(nullable(Text(SOURCE_MAX, SOURCE, ['Sign-up form of the old shop']))),
  },
  { $id: 'NewsRecipientInput', examples: [{ email: 'jane@example.com' }] },
)

export const NewsRecipientChange = Type.Object(
  {
    confirmed_at: Type.Optional(
      TimeInput('When the person agreed. It counts for an unsubscribed recipient only if it is later than that.'),
    ),
    consent_source: Type.Optional(nullable(Text(SOURCE_MAX, SOURCE, ['Sign-up form of the old shop']))),
    state: Type.Optional(
      stateOf(NEWS_RECIPIENT_STATES, '`unsubscribed` ends the newsletter. The other states change nothing.'),
    ),
  },
  { $id: 'NewsRecipientChange', examples: [{ state: 'unsubscribed' }] },
)

export const NewsRecipientFilters = Type.Object({
  ...personFilters,
  theme_setting_id: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Only the newsletter of this shop.' }),
  ),
  state: stateFilter(NEWS_RECIPIENT_STATES),
})

export type NewsRecipient = Static<typeof NewsRecipient>
export type NewsRecipientInput = Static<typeof NewsRecipientInput>
export type NewsRecipientChange = Static<typeof NewsRecipientChange>
export type NewsRecipientFilters = Static<typeof NewsRecipientFilters>
