import { hash } from 'node:crypto'
import { networkOf } from '#platform/addresses.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { createSemaphore } from '#platform/semaphore.ts'
import { findWait } from './queries.ts'
import { ACCOUNT, ADDRESS, type Counted, countAttempt, longestWait, MAILS, oneSpelling } from './rules.ts'

/** An e-mail address in the table would tell who has been tried. */
export const hidden = (text: string) => hash('sha256', text).slice(0, 32)

/**
 * What signing in counts against. A browser in which the user has signed in before counts by itself: guessing elsewhere,
 * be it from the same network address, does not slow the user down there.
 */
export function signInLimits(email: string, address: string, knownBrowser: string | undefined): Counted[] {
  if (knownBrowser !== undefined) return [{ key: `browser ${hidden(knownBrowser)}`, policy: ACCOUNT }]
  return [accountLimit(email), addressLimit(address)]
}

/** What the second half of signing in counts against. */
export function secondFactorLimits(userId: number, address: string, knownBrowser: string | undefined): Counted[] {
  if (knownBrowser !== undefined) return [{ key: `code in browser ${hidden(knownBrowser)}`, policy: ACCOUNT }]
  return [{ key: `second factor ${userId}`, policy: ACCOUNT }, addressLimit(address)]
}

export function accountLimit(email: string): Counted {
  return { key: `account ${hidden(oneSpelling(email))}`, policy: ACCOUNT }
}

/** What comes from one network. Attempts at something else than sign-in say what, and count apart. */
export function addressLimit(address: string, what = ''): Counted {
  return { key: `address ${networkOf(address)} ${what}`.trimEnd(), policy: ADDRESS }
}

/** For the password that somebody who is signed in is asked for again. */
export function passwordLimit(userId: number): Counted {
  return { key: `password ${userId}`, policy: ACCOUNT }
}

/** Mails that anybody may ask for, to one address. */
export function mailLimit(email: string): Counted {
  return { key: `mail ${hidden(oneSpelling(email))}`, policy: MAILS }
}

/** What counting stands on: where to read, how to change, and the time. */
export type Turnstile = {
  db: Db
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
  now: () => Date
}

export type Attempt<Result> = { kind: 'made'; result: Result } | { kind: 'wait'; seconds: number }

/** Few are counted at once: a flood of guesses leaves the connections to those who have something to change. */
const counting = createSemaphore(2)

/**
 * Makes an attempt if it may be made. It is counted before, so that a thousand at once are a thousand; one that may not
 * be made, or could not be, counts against nothing.
 */
export async function attempt<Result>(
  { db, change, now }: Turnstile,
  counted: Counted[],
  work: () => Promise<Result>,
): Promise<Attempt<Result>> {
  const seconds = await counting(async () => {
    const wait = await findWait(db, counted, now())
    return wait > 0 ? wait : change((tx) => takeAttempt(tx, counted, now()))
  })
  if (seconds > 0) return { kind: 'wait', seconds }
  try {
    return { kind: 'made', result: await work() }
  } catch (error) {
    await change((tx) => takeBack(tx, counted)).catch(() => undefined)
    throw error
  }
}

/** In one order for all, so that two who hold limits never wait for each other. */
const inOrder = (counted: Counted[]) => [...counted].sort((one, other) => (one.key < other.key ? -1 : 1))

const NEVER = new Date(0)

/** Counts an attempt and answers 0, or the seconds to wait. */
export async function takeAttempt(tx: Tx, counted: Counted[], now: Date): Promise<number> {
  const limits = await lockLimits(tx, counted)
  const next = inOrder(counted).flatMap(({ key, policy }) => {
    const limit = limits.find((each) => each.key === key)
    const counts = limit === undefined ? undefined : countAttempt(limit, policy, now)
    return counts === undefined ? [] : [{ key, counts }]
  })
  if (next.length < counted.length)
    return longestWait(
      limits.map(({ blockedUntil }) => blockedUntil),
      now,
    )
  for (const { key, counts } of next) {
    await tx
      .updateTable('attempt_limits')
      .set({ failures: counts.failures, failed_at: counts.failedAt, blocked_until: counts.blockedUntil })
      .where('key', '=', key)
      .execute()
  }
  return 0
}

async function lockLimits(tx: Tx, counted: Counted[]) {
  const blank = { failures: 0, failed_at: NEVER, blocked_until: NEVER }
  return (
    tx
      .insertInto('attempt_limits')
      .values(inOrder(counted).map(({ key }) => ({ key, ...blank })))
      // An update that changes nothing: a row that was only found might be gone before it is held.
      .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ key: row.ref('excluded.key') })))
      .returning(['key', 'failures', 'failed_at as failedAt', 'blocked_until as blockedUntil'])
      .execute()
  )
}

/** The attempt was right: what counted against an account is forgotten, what it counted against an address taken back. */
export async function forgiveAttempt(tx: Tx, counted: Counted[]): Promise<void> {
  for (const each of inOrder(counted)) {
    if (each.policy.forgives === 'itself') await takeBack(tx, [each])
    else await tx.deleteFrom('attempt_limits').where('key', '=', each.key).execute()
  }
}

async function takeBack(tx: Tx, counted: Counted[]): Promise<void> {
  for (const { key } of inOrder(counted)) {
    await tx
      .updateTable('attempt_limits')
      .set((row) => ({ failures: row('failures', '-', 1), blocked_until: NEVER }))
      .where('key', '=', key)
      .where('failures', '>', 0)
      .execute()
  }
}

/** Throws away what would be forgotten at the next attempt anyway. */
export async function deleteOldLimits(tx: Tx, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - ACCOUNT.forgetSeconds * 1000)
  await tx.deleteFrom('attempt_limits').where('failed_at', '<', dayAgo).execute()
}
