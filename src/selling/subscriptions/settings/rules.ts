import type { SubscriptionSettingsInput } from './schema.ts'
import type { SubscriptionSettings } from './state.ts'

/** Settings that nobody has changed are the same at any time, so that a change can name them. */
const NEVER = new Date(0)

/** The settings of a company that has never set them. */
export function newSettings(companyId: number): SubscriptionSettings {
  return {
    company_id: companyId,
    retry_days: [1, 3, 5, 7],
    bill_days: 14,
    trial_reminder_days: 2,
    renewal_reminder_days: 14,
    price_notice_days: 30,
    updated_at: NEVER,
  }
}

/** The settings after a change: fields that the input does not name stay. */
export function changeSettings(
  before: SubscriptionSettings,
  input: SubscriptionSettingsInput,
  now: Date,
): SubscriptionSettings {
  const retry_days = [...new Set(input.retry_days ?? before.retry_days)].sort((one, other) => one - other)
  return { ...before, ...input, retry_days, updated_at: now }
}
