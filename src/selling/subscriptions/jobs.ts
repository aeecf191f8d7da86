import { defineJob } from '#platform/jobs/kinds.ts'
import { FOLLOW_UPS, type Lane } from '#platform/jobs/lanes.ts'

/** Renewals: a gateway may be slow, and a day with many of them must not delay anything else. */
export const RENEWALS: Lane = { name: 'renewals', slots: 6, slotsPerCompany: 4 }

/** Does what has to be done for some subscriptions now, in transactions that they share. */
export const ADVANCE_SUBSCRIPTIONS = defineJob<{ subscription_ids: number[] }>('subscription/advance', {
  lane: RENEWALS,
  wakes: false,
})

/** What customers are told by mail. */
export const MAIL_KINDS = [
  'welcome',
  'trial_ends',
  'renewal',
  'charge_failed',
  'confirm_charge',
  'bill_late',
  'change_failed',
  'cancelled',
  'paused',
  'plan_changed',
  'price_changes',
  'ended',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

export const TELL_SUBSCRIBER = defineJob<{ subscription_id: number; mail: MailKind; order_id?: number }>(
  'subscription/mail',
  { lane: FOLLOW_UPS, wakes: false },
)
