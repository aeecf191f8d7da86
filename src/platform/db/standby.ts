import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { DatabaseHandle, Db } from './database.ts'
import { readNumbers } from './numbers.ts'

/** How long a read waits for a standby that has not replayed everything yet, and how often it looks. */
const PATIENCE_MS = 250
const LOOK_MS = 10
/** How long a standby has to answer at all. */
const ANSWER_MS = 2 * PATIENCE_MS
/** How long a standby is left alone that did not answer, or was behind. */
const AVOIDED_MS = 5000

export type ReadPlace = Pick<DatabaseHandle, 'db' | 'reads'>

/**
 * Where something is read that takes long: a standby, once it has everything that was committed when this was called, so that
 * nobody misses what they have written, on whatever process. Otherwise the primary.
 */
export type ChoosePlace = () => Promise<ReadPlace>

/** Up to where the primary has written its log. */
export async function positionOf(primary: Db): Promise<string> {
  const [row] = await readNumbers(primary, sql`select pg_current_wal_flush_lsn()::text as position`)
  if (row === undefined) throw new Error('the primary did not say how far its log goes')
  return row.word('position')
}

/** Has a standby replayed the log up to here, or will it have done so in time? One that was promoted is a standby no longer. */
export async function isCaughtUp(standby: Db, position: string, patienceMs: number): Promise<boolean> {
  const until = performance.now() + patienceMs
  const compared = sql`select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${position}::pg_lsn as has_all`
  for (;;) {
    const [row] = await readNumbers(standby, compared)
    if (row?.word('has_all') === 'true') return true
    if (performance.now() > until) return false
    await sleep(LOOK_MS)
  }
}

/** `onChosen` is told what was chosen, and why a standby will not be for a while. */
export function preferStandby(
  primary: ReadPlace,
  standby: ReadPlace,
  onChosen: (place: 'standby' | 'primary', reason?: unknown) => void,
): ChoosePlace {
  let avoidedUntil = 0

  async function catchesUp(): Promise<boolean> {
    return isCaughtUp(standby.reads, await positionOf(primary.reads), PATIENCE_MS)
  }

  async function whyNot(): Promise<unknown> {
    try {
      const late = sleep(ANSWER_MS, false, { ref: false })
      return (await Promise.race([catchesUp(), late]))
        ? undefined
        : new Error('the standby is behind, or does not answer')
    } catch (error) {
      return error
    }
  }

  return async () => {
    const isAvoided = performance.now() < avoidedUntil
    const reason = isAvoided ? undefined : await whyNot()
    if (reason !== undefined) avoidedUntil = performance.now() + AVOIDED_MS
    const isChosen = !isAvoided && reason === undefined
    onChosen(isChosen ? 'standby' : 'primary', reason)
    return isChosen ? standby : primary
  }
}
