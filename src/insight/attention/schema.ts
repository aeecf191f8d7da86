import { type Static, Type } from 'typebox'
import { Id, nullable } from '#platform/wire/schema.ts'

/** What can need somebody, most urgent first. */
export const ATTENTION_KINDS = [
  'disk_full',
  'certificate_ending',
  'backup_failed',
  'backup_missing',
  'backup_old',
  'webhooks_deactivated',
  'webhooks_failing',
  'payments_flagged',
  'products_not_buyable',
  'files_failed',
  'mails_failed',
  'jobs_given_up',
  'subscriptions_past_due',
  'orders_to_ship',
  'orders_unpaid',
  'products_low_stock',
  'reviews_waiting',
] as const

const AttentionItem = Type.Object({
  kind: Type.Enum([...ATTENTION_KINDS], { description: 'What needs attention.' }),
  count: Type.Integer({ minimum: 1, description: 'How many there are; of `backup_old`, how many days.' }),
  subject: nullable(
    Type.String({
      description:
        'The latest of them: the title of a product, or the host of a webhook or of the service. Null: it has no name.',
    }),
  ),
  subject_id: nullable(Id('Id of the latest product or webhook. Null: it is about something else.')),
})

export const Attention = Type.Object(
  { items: Type.Array(AttentionItem, { description: 'Most urgent first. Empty: nothing waits.' }) },
  { $id: 'Attention' },
)

export type AttentionKind = (typeof ATTENTION_KINDS)[number]
export type AttentionItem = Static<typeof AttentionItem>
