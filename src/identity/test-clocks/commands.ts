import { sql } from 'kysely'
import { recordChange } from '#history/audit/commands.ts'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { wireTime } from '#platform/wire/times.ts'
import { clockIsMoving } from './errors.ts'
import { MOVE_CLOCK } from './jobs.ts'
import { TEST_CLOCKS_CHANNEL } from './own-times.cache.ts'
import { lockTestClock } from './queries.ts'
import { targetOf, timeAt } from './rules.ts'
import type { ClockState } from './state.ts'

async function tellOthers(tx: Tx): Promise<void> {
  await sql`select pg_notify(${TEST_CLOCKS_CHANNEL}, '')`.execute(tx)
}

/** A short move may take longer than it is: a clock is never behind the machine. */
const aheadOf = (time: Date, machine: Date) => Math.max(0, time.getTime() - machine.getTime())

/** Gives a new company a clock of its own, which makes it a sandbox. It never loses it. */
export async function createTestClock(tx: Tx, companyId: number): Promise<void> {
  await tx.insertInto('test_clocks').values({ company_id: companyId }).execute()
  await tellOthers(tx)
}

/** Has a worker move the clock. It stands from now on, so that nothing happens out of order. */
export async function askToMove(
  tx: Tx,
  author: Author,
  move: { advance?: string | undefined; at?: string | undefined },
  machine: Date,
): Promise<ClockState> {
  const { companyId } = author
  const before = await lockTestClock(tx, companyId)
  if (before.moves_to !== null) throw clockIsMoving()
  const now = timeAt(before, machine)
  const target = targetOf(move, now)
  // What is due now happens a second later, so that it is told from what had happened already.
  const standsAt = new Date(now.getTime() + 1000)
  const ahead_ms = before.ahead_ms + 1000
  const asked = {
    stands_at: standsAt,
    ahead_ms,
    moves_to: target,
    moved_from: now,
    moved_to: target,
    stopped_because: null,
  }
  await tx.updateTable('test_clocks').set(asked).where('company_id', '=', companyId).execute()
  await recordChange(tx, author, 'test clock moved', `to ${wireTime(target)}`, now)
  await enqueue(tx, { kind: MOVE_CLOCK, companyId: null, data: { company_id: companyId } }, machine)
  await tellOthers(tx)
  return { ...before, ...asked }
}

/**
 * Moves the clock on, if it still stands where the caller has left it: a worker whose lease was over must not go on where
 * another one does.
 */
export async function step(tx: Tx, before: ClockState, at: Date, machine: Date): Promise<ClockState | undefined> {
  const after = { stands_at: at, ahead_ms: aheadOf(at, machine) }
  const { numUpdatedRows } = await tx
    .updateTable('test_clocks')
    .set(after)
    .where('company_id', '=', before.company_id)
    .where('stands_at', '=', before.stands_at)
    .where('moves_to', 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return undefined
  await tellOthers(tx)
  return { ...before, ...after }
}

/** Lets the clock run on from where it stands. */
export async function endMove(
  tx: Tx,
  companyId: number,
  stopped_because: string | null,
  machine: Date,
): Promise<ClockState> {
  const before = await lockTestClock(tx, companyId)
  const now = timeAt(before, machine)
  const after = {
    stands_at: null,
    ahead_ms: aheadOf(now, machine),
    moves_to: null,
    moved_to: now,
    stopped_because,
  }
  await tx.updateTable('test_clocks').set(after).where('company_id', '=', companyId).execute()
  shopChanged(tx, companyId)
  await tellOthers(tx)
  return { ...before, ...after }
}
