import { type Static, Type } from 'typebox'
import { nullable, Text, Time } from '#platform/wire/schema.ts'
import { MAIL_KINDS } from './kinds.facts.ts'

const TEXT_MAX = 5000
const TEXTS_MAX = 100
const NAME_MAX = 50

const kind = Type.String({ enum: Object.keys(MAIL_KINDS), description: 'The kind of mail.' })
const language = Type.String({ description: 'Two-letter code of the language.', examples: ['de'] })

export const MailKind = Type.Object(
  {
    kind,
    languages: Type.Array(
      Type.Object({
        language,
        own_texts: Type.Integer({ minimum: 0, description: 'How many texts the company has written.' }),
      }),
      { description: 'The languages in which mails are written.' },
    ),
  },
  { $id: 'MailKind' },
)

const MailText = Type.Object({
  name: Type.String({ description: 'Which text of the mail.', examples: ['subject'] }),
  standard: Type.String({ description: 'The text of the service.' }),
  text: nullable(Type.String({ description: 'The own text of the company. Null: there is none.' })),
  variables: Type.Array(Type.String(), { description: 'What a text can name in braces, such as `{shop}`.' }),
})

export const MailTexts = Type.Object(
  {
    kind,
    language,
    texts: Type.Array(MailText, { description: 'All texts of the kind.' }),
    updated_at: nullable(Time('When the company changed them last. Null: never.')),
  },
  { $id: 'MailTexts' },
)

export const MailTextInput = Type.Object({
  name: Text(NAME_MAX, 'Which text of the mail.', ['subject']),
  text: nullable(Text(TEXT_MAX, 'The own text. Null or empty: that of the service.', ['Your order {order} is here'])),
})

export const MailTextsInput = Type.Object(
  {
    texts: Type.Array(MailTextInput, { maxItems: TEXTS_MAX, description: 'The texts to change; others stay.' }),
  },
  { $id: 'MailTextsInput', examples: [{ texts: [{ name: 'subject', text: 'Your order {order} is here' }] }] },
)

export type MailKind = Static<typeof MailKind>
export type MailTexts = Static<typeof MailTexts>
export type MailTextInput = Static<typeof MailTextInput>
export type MailTextsInput = Static<typeof MailTextsInput>
