import { type Static, Type } from 'typebox'
import { Id, nullable, Text, Time } from '#platform/wire/schema.ts'

const PREFIX_MAX = 20
const VAT_ID_MAX = 30
const NOTE_MAX = 500
const DAYS_MAX = 365

export const Invoice = Type.Object(
  {
    id: Id('Id of the document.'),
    kind: Type.String({ enum: ['invoice', 'credit_note'], description: 'What it is.' }),
    number: Type.String({ description: 'Number, without gaps.', examples: ['INV-0001'] }),
    order_id: Id('Id of the order.'),
    refund_id: nullable(
      Type.Integer({
        description: 'Id of the refund that a credit note is for; null: the bill was cancelled before it was paid.',
      }),
    ),
    total: Type.Integer({ description: 'Total with tax. In cents.' }),
    currency: Type.String({ description: 'Currency of the total.', examples: ['EUR'] }),
    issued_at: Time('When it was issued.'),
  },
  { $id: 'Invoice' },
)

const settings = {
  prefix: Text(PREFIX_MAX, 'What the numbers of invoices begin with.', ['INV-']),
  credit_prefix: Text(PREFIX_MAX, 'What the numbers of credit notes begin with.', ['CN-']),
  vat_id: Text(VAT_ID_MAX, 'VAT id of the company.', ['DE136695976']),
  payment_days: Type.Integer({ minimum: 0, maximum: DAYS_MAX, description: 'Days to pay a bill.' }),
  check_vat_ids: Type.Boolean({
    description:
      'Are the VAT ids that customers enter at checkout looked up in VIES, the register of the European Union? If VIES does not answer, their form alone is checked.',
  }),
  note: Text(NOTE_MAX, 'Sentence at the end of every document, such as the register of the company.'),
}

export const InvoiceSettings = Type.Object(settings, { $id: 'InvoiceSettings' })

export const InvoiceSettingsInput = Type.Partial(Type.Object(settings), {
  $id: 'InvoiceSettingsInput',
  examples: [{ prefix: '2031-' }],
})

export type Invoice = Static<typeof Invoice>
export type InvoiceSettings = Static<typeof InvoiceSettings>
export type InvoiceSettingsInput = Static<typeof InvoiceSettingsInput>

export const PdfAnswer = {
  description: 'The document.',
  content: { 'application/pdf': { schema: Type.Unsafe({ type: 'string', format: 'binary' }) } },
}
