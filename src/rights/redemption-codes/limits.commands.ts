import { addressLimit, takeAttempt } from '#identity/attempts/guard.ts'
import { findWait } from '#identity/attempts/queries.ts'
import { ACCOUNT, type Counted } from '#identity/attempts/rules.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { tooManyGuesses } from './errors.ts'

/**
 * The limits of codes that do not exist: for the customer, and for the network of a customer's own app. The server of a
 * shop redeems for all customers from one address, and can read all codes anyway.
 */
export function guessLimits(
  { companyId, customerId }: Pick<Caller, 'companyId' | 'customerId'>,
  customer: number,
  address: string,
): Counted[] {
  const ofCustomer = { key: `redeem ${companyId} ${customer}`, policy: ACCOUNT }
  return customerId === null ? [ofCustomer] : [ofCustomer, addressLimit(address, 'redeem')]
}

export async function assertMayGuess(db: Db, limits: Counted[], now: Date): Promise<void> {
  const seconds = await findWait(db, limits, now)
  if (seconds > 0) throw tooManyGuesses(seconds)
}

/** Counts a code that does not exist. Codes that do exist count nothing. */
export async function countGuess(tx: Tx, limits: Counted[], now: Date): Promise<void> {
  await takeAttempt(tx, limits, now)
}
