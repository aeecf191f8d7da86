const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A cart that nobody has touched for this long is abandoned. */
export const ABANDONED_HOURS = 24

/** The cookie of a guest's cart expires after the same time. */
const GUEST_DAYS = 30
const CUSTOMER_DAYS = 365

/** Carts that were last touched before are abandoned. */
export function abandonedBefore(now: Date): Date {
  return new Date(now.getTime() - ABANDONED_HOURS * HOUR_MS)
}

/** Carts that were last touched before are deleted. */
export function prunedBefore(now: Date): { guests: Date; customers: Date } {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return { guests: daysAgo(GUEST_DAYS), customers: daysAgo(CUSTOMER_DAYS) }
}
