import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { type MachineClock, nowInSeconds } from '#platform/clock.ts'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { asOneStatement, prepareWrite } from '#platform/db/writes.ts'
import { networkOf } from '#platform/outbound/addresses.ts'
import { createSemaphore } from '#platform/processes/semaphore.ts'
import { tooManyMails } from './errors.ts'
import { findWait } from './queries.ts'
import {
  ACCOUNT,
  ADDRESS,
  type Counted,
  countAttempt,
  endOfWait,
  firstAttempt,
  type Limit,
  longestWait,
  MAILS,
  MAILS_OF_COMPANY,
  normalizeEmail,
} from './rules.ts'

/** The key is a hash, because a plain email address would reveal which accounts were tried. */
export const hidden = (text: string) => hash('sha256', text).slice(0, 32)

/**
 * The limits of a sign-in. A browser in which the user has signed in before has its own limit: guessing from elsewhere,
 * even from the same network address, does not slow the user down there.
 */
export function signInLimits(email: string, address: string, knownBrowser: string | undefined): Counted[] {
  if (knownBrowser !== undefined) return [{ key: `browser ${hidden(knownBrowser)}`, policy: ACCOUNT }]
  return [accountLimit(email), addressLimit(address)]
}

/** The limits of the second factor. */
export function secondFactorLimits(userId: number, address: string, knownBrowser: string | undefined): Counted[] {
  if (knownBrowser !== undefined) return [{ key: `code in browser ${hidden(knownBrowser)}`, policy: ACCOUNT }]
  return [{ key: `second factor ${userId}`, policy: ACCOUNT }, addressLimit(address)]
}

export function accountLimit(email: string): Counted {
  return { key: `account ${hidden(normalizeEmail(email))}`, policy: ACCOUNT }
}

/** The limit of one network address. Attempts other than sign-in name their kind, and are counted separately. */
export function addressLimit(address: string, what = ''): Counted {
  return { key: `address ${networkOf(address)} ${what}`.trimEnd(), policy: ADDRESS }
}

/** The limit for entering the current password again while signed in. */
export function passwordLimit(userId: number): Counted {
  return { key: `password ${userId}`, policy: ACCOUNT }
}

/** The limit for entering a code of the second factor while signed in. A right password does not clear it. */
export function codeLimit(userId: number): Counted {
  return { key: `code ${userId}`, policy: ACCOUNT }
}

/** The limit for mails that anybody may request, by address. */
export function mailLimit(email: string): Counted {
  return { key: `mail ${hidden(normalizeEmail(email))}`, policy: MAILS }
}

/**
 * Counts a mail that somebody of a company has sent to a person, and refuses it if there were many. Each company has a limit
 * of its own, so that none keeps the others, or the person, from sending mails.
 */
export async function assertMayMail(tx: Tx, companyId: number, email: string, now: Date): Promise<void> {
  const key = `mail of ${companyId} to ${hidden(normalizeEmail(email))}`
  const seconds = await takeAttempt(tx, [{ key, policy: MAILS_OF_COMPANY }], now)
  if (seconds > 0) throw tooManyMails(seconds)
}

/** The dependencies of counting: the database, a way to open transactions, and the clock of the machine. */
export type LimitDependencies = {
  db: Db
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
  clock: MachineClock
}

export type Attempt<Result> = { kind: 'made'; result: Result } | { kind: 'wait'; seconds: number }

/** Few attempts are counted at once: a flood of guesses leaves database connections for other requests. */
const counting = createSemaphore(2)

/**
 * Makes an attempt if the limits allow it. It is counted before, so that a thousand at once are counted as a thousand.
 * An attempt that is refused, or that fails, is not counted.
 */
export async function attempt<Result>(
  { db, change, clock }: LimitDependencies,
  counted: Counted[],
  work: () => Promise<Result>,
): Promise<Attempt<Result>> {
  const seconds = await counting(async () => {
    const wait = await findWait(db, counted, nowInSeconds(clock))
    return wait > 0 ? wait : change((tx) => takeAttempt(tx, counted, nowInSeconds(clock)))
  })
  if (seconds > 0) return { kind: 'wait', seconds }
  try {
    return { kind: 'made', result: await work() }
  } catch (error) {
    await change((tx) => takeBack(tx, counted)).catch(() => undefined)
    throw error
  }
}

/** All transactions lock limits in the same order, so that no two wait for each other. */
const inOrder = (counted: Counted[]) => [...counted].sort((one, other) => (one.key < other.key ? -1 : 1))

const NEVER = new Date(0)

/** Counts an attempt and returns 0, or the seconds to wait. */
export async function takeAttempt(tx: Tx, counted: Counted[], now: Date): Promise<number> {
  const limits = new Map((await countFirstOrLock(tx, counted, now)).map((limit) => [limit.key, limit]))
  const isFirst = ({ key }: Counted) => limits.get(key)?.isFirst === true
  const known = inOrder(counted).filter((each) => !isFirst(each))
  const next = known.flatMap(({ key, policy }) => {
    const limit = limits.get(key)
    const counts = limit && countAttempt(limit, policy, now)
    return counts === undefined ? [] : [{ key, counts }]
  })
  if (next.length < known.length) {
    await takeBack(tx, counted.filter(isFirst))
    return longestWait(
      known.flatMap(({ key }) => {
        const limit = limits.get(key)
        return limit === undefined ? [] : [endOfWait(limit, now)]
      }),
      now,
    )
  }
  if (next.length > 0)
    await asOneStatement(tx, () => [
      saveLimits(
        tx,
        next.map(({ key }) => key),
        next.map(({ counts }) => counts.failures),
        next.map(({ counts }) => counts.failedAt),
        next.map(({ counts }) => counts.blockedUntil),
      ),
    ])
  return 0
}

/**
 * An update that changes nothing locks a row: one that was only read might be deleted before it is locked. A row that was
 * inserted has no `xmax`.
 */
const insertOrLock = prepare((tx: Tx, keys: string[], failures: number[], failedAt: Date, blockedUntil: Date[]) =>
  sql<Limit & { key: string; isFirst: boolean }>`insert into attempt_limits (key, failures, failed_at, blocked_until)
    select first.key, first.failures, ${failedAt}::timestamptz, first.blocked_until
    from unnest(${keys}::text[], ${failures}::int[], ${blockedUntil}::timestamptz[]) with ordinality
      as first (key, failures, blocked_until, place) order by first.place
    on conflict (key) do update set key = excluded.key
    returning key, failures, failed_at as "failedAt", blocked_until as "blockedUntil", xmax = 0 as "isFirst"`.compile(
    tx,
  ),
)

/** Counts the attempt where it is the first, and locks the other limits. Most limits are new, and need no second statement. */
function countFirstOrLock(tx: Tx, counted: Counted[], now: Date) {
  const ordered = inOrder(counted)
  const counts = ordered.map(({ policy }) => firstAttempt(policy, now))
  return insertOrLock(
    tx,
    ordered.map(({ key }) => key),
    counts.map(({ failures }) => failures),
    now,
    counts.map(({ blockedUntil }) => blockedUntil),
  )
}

const saveLimits = prepareWrite(
  'update',
  'attempt_limits',
  (tx: Tx, keys: string[], failures: number[], failedAt: Date[], blockedUntil: Date[]) =>
    sql`update attempt_limits set failures = fresh.failures, failed_at = fresh.failed_at, blocked_until = fresh.blocked_until
    from unnest(${keys}::text[], ${failures}::int[], ${failedAt}::timestamptz[], ${blockedUntil}::timestamptz[])
      as fresh (key, failures, failed_at, blocked_until)
    where attempt_limits.key = fresh.key`.compile(tx),
)

/** After a successful attempt: clears the limits of the account, and takes the attempt back from the address. */
export async function forgiveAttempt(tx: Tx, counted: Counted[]): Promise<void> {
  for (const each of inOrder(counted)) {
    if (each.policy.forgives === 'itself') await takeBack(tx, [each])
    else await tx.deleteFrom('attempt_limits').where('key', '=', each.key).execute()
  }
}

/** So many wrong passwords are recognised again for one key. */
const TRIED_MAX = 20

/**
 * After a wrong password: takes the attempt back if the same one was wrong before, because it is no new guess. `key`
 * names the limit of the account, which remembers what was tried.
 */
export async function noteTried(tx: Tx, counted: Counted[], key: string, tried: Buffer): Promise<void> {
  const row = await tx
    .selectFrom('attempt_limits')
    .select('tried')
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return
  if (row.tried.some((earlier) => earlier.equals(tried))) return takeBack(tx, counted)
  await tx
    .updateTable('attempt_limits')
    .set({ tried: [...row.tried, tried].slice(-TRIED_MAX) })
    .where('key', '=', key)
    .execute()
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

/** Deletes counts that the next attempt would ignore anyway. */
export function deleteOldLimits(tx: Tx, now: Date): Promise<number> {
  const dayAgo = new Date(now.getTime() - ACCOUNT.forgetSeconds * 1000)
  return deleteBatch(tx, 'attempt_limits', 'failed_at', sql`failed_at < ${dayAgo}`)
}
