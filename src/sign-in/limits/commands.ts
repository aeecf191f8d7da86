import { hash } from 'node:crypto'
import type { Tx } from '#platform/db/database.ts'
import { ACCOUNT, ADDRESS, countAttempt, MAILS, networkOf, type Policy } from './rules.ts'

/** What an attempt counts against. */
export type Counted = { key: string; policy: Policy }

/** An e-mail address in the table would tell who has been tried. */
export const hidden = (text: string) => hash('sha256', text.trim().toLowerCase()).slice(0, 32)

/** A browser in which the user has signed in before counts by itself: guessing elsewhere does not slow the user down. */
export function accountLimit(email: string, knownBrowser: string | undefined): Counted {
  const key = knownBrowser === undefined ? `account ${hidden(email)}` : `browser ${hidden(knownBrowser)}`
  return { key, policy: ACCOUNT }
}

export function addressLimit(address: string): Counted {
  return { key: `address ${networkOf(address)}`, policy: ADDRESS }
}

/** Mails that anybody may ask for, to one address. */
export function mailLimit(email: string): Counted {
  return { key: `mail ${hidden(email)}`, policy: MAILS }
}

/**
 * Counts an attempt before it is made, so that a thousand at once are a thousand. Answers the seconds to wait; none means
 * go on. An attempt that may not be made counts against nothing.
 */
export async function takeAttempt(tx: Tx, counted: Counted[], now: Date): Promise<number> {
  // In one order for all, so that two attempts never wait for each other.
  const inOrder = [...counted].sort((one, other) => (one.key < other.key ? -1 : 1))
  const limits = []
  for (const { key, policy } of inOrder) {
    const row = await lockLimit(tx, key)
    const limit = { failures: row.failures, failedAt: row.failed_at, blockedUntil: row.blocked_until }
    const next = countAttempt(limit, policy, now)
    if (next === undefined) return Math.ceil((row.blocked_until.getTime() - now.getTime()) / 1000)
    limits.push({ key, next })
  }
  for (const { key, next } of limits) {
    await tx
      .updateTable('attempt_limits')
      .set({ failures: next.failures, failed_at: next.failedAt, blocked_until: next.blockedUntil })
      .where('key', '=', key)
      .execute()
  }
  return 0
}

/** In one statement: between two, an attempt that was right could take the row away. */
function lockLimit(tx: Tx, key: string) {
  return tx
    .insertInto('attempt_limits')
    .values({ key, failures: 0, failed_at: new Date(0), blocked_until: new Date(0) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The attempt was right: what it counted against an account is forgotten, what it counted against an address taken back. */
export async function forgiveAttempt(tx: Tx, counted: Counted[]): Promise<void> {
  for (const { key, policy } of counted) {
    if (policy.forgives === 'itself')
      await tx
        .updateTable('attempt_limits')
        .set((row) => ({ failures: row('failures', '-', 1), blocked_until: new Date(0) }))
        .where('key', '=', key)
        .where('failures', '>', 0)
        .execute()
    else await tx.deleteFrom('attempt_limits').where('key', '=', key).execute()
  }
}

/** Throws away what would be forgotten at the next attempt anyway. */
export async function deleteOldLimits(tx: Tx, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - ACCOUNT.forgetSeconds * 1000)
  await tx.deleteFrom('attempt_limits').where('failed_at', '<', dayAgo).execute()
}
