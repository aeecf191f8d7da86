/**
 * How many attempts are free, and how the wait grows after them. It never grows beyond the longest. An attempt that was
 * right forgives all before it, or itself alone where others count against the same key.
 */
export type Policy = { free: number; longestSeconds: number; forgetSeconds: number; forgives: 'all' | 'itself' }

/** For one account, one second factor. Slow enough for a guesser, and short enough for an owner who mistyped. */
export const ACCOUNT: Policy = { free: 5, longestSeconds: 900, forgetSeconds: 86_400, forgives: 'all' }

/** For one network address: an office may share one, and somebody there mistypes every other hour. */
export const ADDRESS: Policy = { free: 30, longestSeconds: 900, forgetSeconds: 21_600, forgives: 'itself' }

/** For asking for mails. */
export const MAILS: Policy = { free: 3, longestSeconds: 3600, forgetSeconds: 86_400, forgives: 'all' }

/** What an attempt counts against. */
export type Counted = { key: string; policy: Policy }

export type Limit = { failures: number; failedAt: Date; blockedUntil: Date }

const NEVER = new Date(0)

/** Counts one more attempt; undefined if it may not be made yet. */
export function countAttempt(limit: Limit, policy: Policy, now: Date): Limit | undefined {
  if (limit.blockedUntil > now) return undefined
  const failures = rememberedFailures(limit, policy, now) + 1
  const wait = waitSeconds(failures, policy)
  // One who asked a moment before and is counted a moment after must not be told to wait for what was free.
  return { failures, failedAt: now, blockedUntil: wait === 0 ? NEVER : new Date(now.getTime() + wait * 1000) }
}

/** Free attempts come back one by one, so that a place where some fail every day is not closed in the end; a long silence forgets all. */
function rememberedFailures({ failures, failedAt }: Limit, { free, forgetSeconds }: Policy, now: Date): number {
  const seconds = Math.max(0, (now.getTime() - failedAt.getTime()) / 1000)
  if (seconds > forgetSeconds) return 0
  return Math.max(0, failures - Math.floor((seconds * free) / forgetSeconds))
}

/** Seconds to wait after so many attempts: none while they are free, then twice as long each time. */
export function waitSeconds(failures: number, { free, longestSeconds }: Policy): number {
  return failures < free ? 0 : Math.min(longestSeconds, 2 ** Math.min(failures - free, 20))
}

/** Whole seconds until the last of these times; none if they are over. */
export function longestWait(blocked: Date[], now: Date): number {
  return Math.max(0, ...blocked.map((until) => Math.ceil((until.getTime() - now.getTime()) / 1000)))
}

/**
 * One text for every spelling of an e-mail address that the database may take for the same: which letters are each
 * other's capitals is for its collation to say, and a second spelling would be a second chance to guess.
 */
export function oneSpelling(email: string): string {
  const letters = [...email.trim().normalize('NFD').replace(/\p{M}/gu, '')]
  return letters.map((letter) => letter.toLowerCase().toUpperCase()).join('')
}
