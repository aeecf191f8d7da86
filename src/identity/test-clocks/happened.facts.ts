/** What can happen while a clock is moved. */
export const HAPPENED_KINDS = [
  'renewal_charged',
  'renewal_failed',
  'subscription_ended',
  'rental_ended',
  'mail_written',
  'webhook_attempt',
  'day_closed',
] as const
export type HappenedKind = (typeof HAPPENED_KINDS)[number]
