import { wireTime } from '#platform/wire/times.ts'
import type { SubscriptionSettings as Wire } from './schema.ts'
import type { SubscriptionSettings } from './state.ts'

export function presentSettings({ company_id: _company, updated_at, ...settings }: SubscriptionSettings): Wire {
  return { ...settings, updated_at: updated_at.getTime() === 0 ? null : wireTime(updated_at) }
}
