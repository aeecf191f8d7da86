import { type Static, Type } from 'typebox'
import { Id, nullable, Reference, Text, Time } from '#platform/wire/schema.ts'

/** As long as the addresses that browsers take. */
export const ADDRESS_MAX = 2000
const TOPIC_MAX = 100

const topic = Text(TOPIC_MAX, 'The events that it gets. The plural, `orders/create`, is understood.', ['order/create'])
const address = Text(ADDRESS_MAX, 'Where events are posted to, with http or https. A query is kept.', [
  'https://app.example.com/hooks?shop=1000',
])
const isActive = Type.Boolean({
  description:
    'Whether it gets events. False pauses it: its events are kept for 30 days and sent when it is true again. The service sets it to false when a receiver failed for 48 hours, or answered 410.',
})

export const Webhook = Type.Object(
  {
    id: Id('Id of the webhook. Read-only.'),
    topic: Type.String({ description: 'The events that it gets.', examples: ['order/create'] }),
    address,
    format: Type.Literal('json', { description: 'Events are JSON.' }),
    is_active: isActive,
    inactive_reason: nullable(
      Type.Unsafe<'paused' | 'failing' | 'gone' | 'uninstalled'>({
        type: 'string',
        enum: ['paused', 'failing', 'gone', 'uninstalled'],
        description:
          'Why it gets nothing: somebody paused it, every attempt failed for 48 hours, the receiver answered 410, or the app was uninstalled. Null while it is active. Read-only.',
      }),
    ),
    app_id: Id('The app that it belongs to. Read-only.'),
    failures: Type.Integer({ minimum: 0, description: 'Failed attempts since the last success. Read-only.' }),
    failing_since: nullable(Time('When the first of them failed; null if it works. Read-only.')),
    next_attempt_at: nullable(Time('When it is tried again; null if it works, or is not active. Read-only.')),
    created_at: Time('When it was created. Read-only.'),
    updated_at: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$',
      description: 'When it was last changed, with its offset. Read-only.',
      examples: ['2024-06-10T09:30:00+00:00'],
    }),
  },
  { $id: 'Webhook' },
)

export const WebhookInput = Type.Object(
  {
    topic: Type.Optional(topic),
    scope: Type.Optional({ ...topic, description: 'Another spelling of `topic`.' }),
    address: Type.Optional(address),
    destination: Type.Optional({ ...address, description: 'Another spelling of `address`.' }),
    is_active: Type.Optional(isActive),
    is_valid: Type.Optional(Type.Boolean({ description: 'Another spelling of `is_active`.' })),
    format: Type.Optional(Text(20, 'Always `json`.', ['json'])),
  },
  {
    $id: 'WebhookInput',
    examples: [{ topic: 'order/create', address: 'https://app.example.com/hooks', format: 'json' }],
  },
)

export const NewWebhookInput = Type.Object(
  {
    ...WebhookInput.properties,
    app_id: Type.Optional(
      Reference(
        'For signed-in users, who have to name the app whose secret signs the events: one that the company has let in, or has registered itself. An app subscribes itself.',
      ),
    ),
  },
  {
    $id: 'NewWebhookInput',
    examples: [{ topic: 'order/create', address: 'https://app.example.com/hooks', format: 'json' }],
  },
)

export type Webhook = Static<typeof Webhook>
export type WebhookInput = Static<typeof WebhookInput>
export type NewWebhookInput = Static<typeof NewWebhookInput>
