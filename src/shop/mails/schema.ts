import { type Static, Type } from 'typebox'
import { MailTextInput } from '#identity/mail-texts/schema.ts'
import { Id, nullable, Reference, Time } from '#platform/wire/schema.ts'

const state = Type.Unsafe<'sent' | 'failed' | 'waiting' | 'kept'>({
  type: 'string',
  enum: ['sent', 'failed', 'waiting', 'kept'],
  description: '`waiting`: it will be tried. `failed`: it was given up. `kept`: there was no mail server.',
})

const listed = {
  id: Id('Id of the mail.'),
  recipient: Type.String({ description: 'To whom.' }),
  subject: Type.String({ description: 'Its subject.' }),
  state,
  created_at: Time('When it was written.'),
  sent_at: nullable(Time('When the mail server took it. Null: not yet.')),
  failed_at: nullable(Time('When it was given up. Null: it was not.')),
  last_error: nullable(Type.String({ description: 'Why the latest attempt failed, in the words of the mail server.' })),
}

export const Mail = Type.Object(listed, { $id: 'Mail' })

export const WholeMail = Type.Object(
  {
    ...listed,
    text: nullable(Type.String({ description: 'The plain text.' })),
    html: nullable(Type.String({ description: 'The HTML. Show it in a frame without scripts.' })),
  },
  { $id: 'WholeMail' },
)

export const MailFilters = Type.Object({ state: Type.Optional(state) })

export const RefusedRecipient = Type.Object(
  {
    recipient: Type.String({ description: 'The address.' }),
    count: Type.Integer({ minimum: 1, description: 'How many mails to it were given up in the last 30 days.' }),
    last_error: Type.String({ description: 'Why the latest failed, in the words of the mail server.' }),
    last_failed_at: Time('When the latest was given up.'),
  },
  { $id: 'RefusedRecipient' },
)

const TEXTS_MAX = 100

export const PreviewInput = Type.Object(
  {
    order_id: Type.Optional(Reference('The order to show it with. Absent: the latest one.')),
    texts: Type.Optional(
      Type.Array(MailTextInput, {
        maxItems: TEXTS_MAX,
        description: 'Texts that are not saved yet, in place of those that are.',
      }),
    ),
  },
  { $id: 'MailPreviewInput', examples: [{ texts: [{ name: 'subject', text: 'Your order {order} is here' }] }] },
)

export const MailPreview = Type.Object(
  {
    subject: Type.String({ description: 'Its subject.' }),
    html: Type.String({ description: 'The HTML. Links with a secret lead nowhere.' }),
    text: Type.String({ description: 'The plain text.' }),
    order_id: nullable(Id('The order that it is shown with. Null: it needs none.')),
  },
  { $id: 'MailPreview' },
)

export const SentTest = Type.Object(
  { recipient: Type.String({ description: 'The address of the user, to which it was sent.' }) },
  { $id: 'SentTestMail' },
)

export type Mail = Static<typeof Mail>
export type WholeMail = Static<typeof WholeMail>
export type PreviewInput = Static<typeof PreviewInput>
export type RefusedRecipient = Static<typeof RefusedRecipient>
