import { type Static, Type } from 'typebox'
import { nullable, Time } from '#platform/wire/schema.ts'

const RETRIES_MAX = 10
const RETRY_DAYS_MAX = 60
const DAYS_MAX = 90

const days = (description: string, minimum = 0) => Type.Integer({ minimum, maximum: DAYS_MAX, description })

const settings = {
  retry_days: Type.Array(Type.Integer({ minimum: 1, maximum: RETRY_DAYS_MAX }), {
    maxItems: RETRIES_MAX,
    description:
      'On which days after a failed charge it is tried again. The customer stays a member until the last of them; then the subscription ends.',
    examples: [[1, 3, 5, 7]],
  }),
  bill_days: days('How many days before a period its bill is sent, where customers pay by bank transfer.', 1),
  trial_reminder_days: days('How many days before a trial ends the customer is reminded; 0: never.'),
  renewal_reminder_days: days('How many days before another year is charged the customer is reminded; 0: never.'),
  price_notice_days: days('How many days ahead customers are told of another price.', 1),
}

export const SubscriptionSettings = Type.Object(
  { ...settings, updated_at: nullable(Time('When it was last changed; null: never. Read-only.')) },
  { $id: 'SubscriptionSettings' },
)

export const SubscriptionSettingsInput = Type.Partial(Type.Object(settings), { $id: 'SubscriptionSettingsInput' })

export type SubscriptionSettings = Static<typeof SubscriptionSettings>
export type SubscriptionSettingsInput = Static<typeof SubscriptionSettingsInput>
