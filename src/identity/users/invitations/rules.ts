/** So many invitations within so many seconds. */
export type Limit = { max: number; seconds: number }

const HOUR = 3600
const DAY = 24 * HOUR

/** For all invitations of one company: no company hires faster, and a stolen token sends no flood. */
export const PER_COMPANY: Limit = { max: 20, seconds: HOUR }

/** For the invitations of one company to one address. */
export const PER_ADDRESS: Limit = { max: 3, seconds: DAY }

/** For the invitations of all companies to one address. It is higher, so that no company uses it up alone. */
export const PER_RECIPIENT: Limit = { max: 5, seconds: DAY }

/** Seconds until the limit allows one more; 0 if it does now. `sent` are the times of the latest, in any order. */
export function secondsToWait(sent: Date[], { max, seconds }: Limit, now: Date): number {
  const counted = sent.map((time) => time.getTime()).filter((time) => time > now.getTime() - seconds * 1000)
  if (counted.length < max) return 0
  const [oldest = 0] = counted.sort((one, other) => other - one).slice(max - 1)
  return Math.max(1, Math.ceil((oldest - now.getTime()) / 1000 + seconds))
}

/** The longest time that any limit looks back. */
export const REMEMBERED_SECONDS = DAY
