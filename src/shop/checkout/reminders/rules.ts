const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A cart that was due longer ago gets no reminder, so that turning reminders on wakes nobody who left weeks ago. */
export const LATE_HOURS = 48

/** Anybody can enter the address of somebody else, so an address is reminded this seldom, whatever is in how many carts. */
const PAUSE_DAYS = 7

/** An address that was reminded before may be reminded again. */
export function remindedBefore(now: Date): Date {
  return new Date(now.getTime() - PAUSE_DAYS * DAY_MS)
}

/** Addresses are compared without regard to case. */
export function addressKey(email: string): string {
  return email.trim().toLowerCase()
}

/** The page that ends the reminders to an address. */
export function stopPath(token: string): string {
  return `/cart-reminders/stop/${token}`
}
