/** The words that the states, ends and changes of subscriptions have in the API and in the database. */
export const STATUSES = ['incomplete', 'trialing', 'active', 'past_due', 'paused', 'cancelled', 'ended'] as const

export const END_REASONS = ['cancelled', 'unpaid', 'completed', 'abandoned', 'order_cancelled', 'replaced'] as const

export const CHANGES = [
  'signed_up',
  'started',
  'renewed',
  'charge_failed',
  'cancelled',
  'cancellation_withdrawn',
  'pause_planned',
  'paused',
  'resumed',
  'plan_changed',
  'means_changed',
  'extended',
  'price_announced',
  'reminded',
  'ended',
] as const
