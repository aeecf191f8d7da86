/**
 * How many attempts are free, and how the wait grows after them, up to a maximum. A successful attempt clears all
 * failures before it, or only itself where other people count against the same key.
 */
export type Policy = { free: number; longestSeconds: number; forgetSeconds: number; forgives: 'all' | 'itself' }

/** For one account or second factor: slow for a guesser, and short for an owner who mistyped. */
export const ACCOUNT: Policy = { free: 5, longestSeconds: 900, forgetSeconds: 86_400, forgives: 'all' }

/** For one network address: an office may share one, and people there mistype now and then. */
export const ADDRESS: Policy = { free: 30, longestSeconds: 900, forgetSeconds: 21_600, forgives: 'itself' }

/** For requesting mails. */
export const MAILS: Policy = { free: 3, longestSeconds: 3600, forgetSeconds: 86_400, forgives: 'all' }

/** For mails that the people and apps of a company have sent to somebody. */
export const MAILS_OF_COMPANY: Policy = { free: 5, longestSeconds: 3600, forgetSeconds: 86_400, forgives: 'all' }

/** The key that an attempt is counted under, and its limit. */
export type Counted = { key: string; policy: Policy }

export type Limit = { failures: number; failedAt: Date; blockedUntil: Date }

const NEVER = new Date(0)

/** The clocks of machines differ by less. */
const SKEW_MS = 60_000

/**
 * Until when no attempt may be made. One that was counted in the future was counted while the clock was ahead: its wait would last
 * until that time has come, so it holds nobody up. It is still remembered.
 */
export function endOfWait({ failedAt, blockedUntil }: Pick<Limit, 'failedAt' | 'blockedUntil'>, now: Date): Date {
  return failedAt.getTime() > now.getTime() + SKEW_MS ? NEVER : blockedUntil
}

/** Counts one more attempt; undefined if it may not be made yet. */
export function countAttempt(limit: Limit, policy: Policy, now: Date): Limit | undefined {
  if (endOfWait(limit, now) > now) return undefined
  return afterAttempts(rememberedFailures(limit, policy, now) + 1, policy, now)
}

/** Counts an attempt before which there was none. */
export function firstAttempt(policy: Policy, now: Date): Limit {
  return afterAttempts(1, policy, now)
}

function afterAttempts(failures: number, policy: Policy, now: Date): Limit {
  const wait = waitSeconds(failures, policy)
  // A request that was allowed a moment before it is counted must not be told to wait for a free attempt.
  return { failures, failedAt: now, blockedUntil: wait === 0 ? NEVER : new Date(now.getTime() + wait * 1000) }
}

/** Free attempts come back one by one, so that a few failures a day never lock an address; a long pause clears all. */
function rememberedFailures({ failures, failedAt }: Limit, { free, forgetSeconds }: Policy, now: Date): number {
  const seconds = Math.max(0, (now.getTime() - failedAt.getTime()) / 1000)
  if (seconds > forgetSeconds) return 0
  return Math.max(0, failures - Math.floor((seconds * free) / forgetSeconds))
}

/** Seconds to wait after so many attempts: none while they are free, then double each time. */
export function waitSeconds(failures: number, { free, longestSeconds }: Policy): number {
  return failures < free ? 0 : Math.min(longestSeconds, 2 ** Math.min(failures - free, 20))
}

/** Whole seconds until the latest of these times; 0 if all have passed. */
export function longestWait(blocked: Date[], now: Date): number {
  return Math.max(0, ...blocked.map((until) => Math.ceil((until.getTime() - now.getTime()) / 1000)))
}

/**
 * One key for all spellings of an email address that the database may treat as the same: its collation decides which
 * letters are equal in lower case, and a spelling with its own limit would allow more guesses.
 */
export function normalizeEmail(email: string): string {
  const letters = [...email.trim().normalize('NFD').replace(/\p{M}/gu, '')]
  return letters.map((letter) => letter.toLowerCase().toUpperCase()).join('')
}
