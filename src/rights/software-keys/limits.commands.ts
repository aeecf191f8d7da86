import { addressLimit, hidden, takeAttempt } from '#identity/attempts/guard.ts'
import { findWait } from '#identity/attempts/queries.ts'
import type { Counted, Policy } from '#identity/attempts/rules.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { tooManyKeys } from './errors.ts'

/** For one key: programs that are installed more often than its seats allow must not fill the record of uses. */
const REFUSALS: Policy = { free: 100, longestSeconds: 900, forgetSeconds: 86_400, forgives: 'itself' }

/** The limit of unknown keys from one network, and that of refused activations of one key. */
export type KeyLimits = { unknown: Counted; refused: Counted }

export function keyLimits(key: string, address: string): KeyLimits {
  return {
    unknown: addressLimit(address, 'software key'),
    refused: { key: `software key ${hidden(key)}`, policy: REFUSALS },
  }
}

export async function assertMayTry(db: Db, { unknown, refused }: KeyLimits, now: Date): Promise<void> {
  const seconds = await findWait(db, [unknown, refused], now)
  if (seconds > 0) throw tooManyKeys(seconds)
}

export async function countTry(tx: Tx, limit: Counted, now: Date): Promise<void> {
  await takeAttempt(tx, [limit], now)
}
