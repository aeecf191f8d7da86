import { type Static, Type } from 'typebox'
import { Id, nullable } from '#platform/wire/schema.ts'

export const STEP_KEYS = [
  'company',
  'payments',
  'product',
  'legal_texts',
  'mails',
  'domain',
  'shipping',
  'order',
] as const

/** What can be missing. A word stays the same for ever. */
export const MISSING = [
  'company_name',
  'street',
  'zip',
  'city',
  'country',
  'vat_id',
  'payment_method',
  'live_payment_method',
  'product',
  'published',
  'price',
  'content',
  'release',
  'imprint',
  'terms',
  'withdrawal',
  'privacy',
  'mail_server',
  'shop_domain',
  'domain_proof',
  'shipping_method',
  'paid_order',
] as const

const ProofRecord = Type.Object(
  {
    type: Type.Enum(['TXT'], { description: 'Type of the record.' }),
    name: Type.String({ description: 'Name of the record.', examples: ['_licet.shop.example.com'] }),
    value: Type.String({ description: 'Value of the record.', examples: ['licet-company=1000'] }),
  },
  { description: 'The DNS record that proves the domain.' },
)

const ReadinessStep = Type.Object({
  key: Type.Enum([...STEP_KEYS], {
    description:
      'What has to be done: data of the company, a way to be paid, a product that can be bought, the legal texts, a mail server, a domain of its own, a shipping method, a first order. Only a company that sells goods has `shipping`.',
  }),
  done: Type.Boolean({ description: 'Is it done?' }),
  missing: Type.Array(Type.Enum([...MISSING]), {
    description: 'What is missing, in words that stay the same for ever. Empty if it is done.',
  }),
  subject: nullable(
    Type.String({
      description: 'What it is about: the title of the latest product, or the domain. Null: nothing in particular.',
    }),
  ),
  subject_id: nullable(
    Id('Id of the product that it is about, or of the shop in which the first order is placed. Null: neither.'),
  ),
  record: Type.Optional(ProofRecord),
})

export const Readiness = Type.Object(
  {
    steps: Type.Array(ReadinessStep),
    done: Type.Integer({ minimum: 0, description: 'How many steps are done.' }),
    total: Type.Integer({ minimum: 1, description: 'How many steps there are.' }),
  },
  { $id: 'Readiness' },
)

export type StepKey = (typeof STEP_KEYS)[number]
export type Missing = (typeof MISSING)[number]
export type Readiness = Static<typeof Readiness>
export type ReadinessStep = Static<typeof ReadinessStep>
