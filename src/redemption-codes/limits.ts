import type { Caller } from '#platform/caller.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { addressLimit, takeAttempt } from '#sign-in/limits/commands.ts'
import { findWait } from '#sign-in/limits/queries.ts'
import { ACCOUNT, type Counted } from '#sign-in/limits/rules.ts'
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
