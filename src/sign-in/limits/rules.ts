/**
 * How many attempts are free, and how the wait grows after them. It never grows beyond the longest. An attempt that was
 * right forgives all before it, or itself alone where others count against the same key.
 */
export type Policy = { free: number; longestSeconds: number; forgetSeconds: number; forgives: 'all' | 'itself' }

/** For one account, one second factor. Slow enough for a guesser, and short enough for an owner who mistyped. */
export const ACCOUNT: Policy = { free: 5, longestSeconds: 900, forgetSeconds: 86_400, forgives: 'all' }

/** For one network address: an office may share one. */
export const ADDRESS: Policy = { free: 30, longestSeconds: 900, forgetSeconds: 3600, forgives: 'itself' }

/** For asking for mails. */
export const MAILS: Policy = { free: 3, longestSeconds: 3600, forgetSeconds: 86_400, forgives: 'all' }

export type Limit = { failures: number; failedAt: Date; blockedUntil: Date }

/** Counts one more attempt; undefined if it may not be made yet. What is long ago is forgotten. */
export function countAttempt(limit: Limit, policy: Policy, now: Date): Limit | undefined {
  if (limit.blockedUntil > now) return undefined
  const isForgotten = now.getTime() - limit.failedAt.getTime() > policy.forgetSeconds * 1000
  const failures = isForgotten ? 1 : limit.failures + 1
  return { failures, failedAt: now, blockedUntil: new Date(now.getTime() + waitSeconds(failures, policy) * 1000) }
}

/** Seconds to wait after so many attempts: none while they are free, then twice as long each time. */
export function waitSeconds(failures: number, { free, longestSeconds }: Policy): number {
  return failures < free ? 0 : Math.min(longestSeconds, 2 ** Math.min(failures - free, 20))
}

/** IPv6 addresses are handed out by the network: whoever has one has all of its /64. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length
  const whole = [...groups, ...Array(Math.max(0, zeros)).fill('0'), ...rest]
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
