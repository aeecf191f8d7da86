import { addressLimit, forgiveAttempt, hidden, noteTried, takeAttempt } from '#identity/attempts/guard.ts'
import { ACCOUNT, type Counted, normalizeEmail } from '#identity/attempts/rules.ts'
import type { Tx } from '#platform/db/database.ts'
import { COMPANY_CHECKS, windowOf } from './rules.ts'

export type Limits = Counted[]

/** The limit for a company's questions about email addresses. */
export function companyLimits(companyId: number, now: Date): Limits {
  return [{ key: `customers of ${companyId} ${windowOf(now)}`, policy: COMPANY_CHECKS }]
}

/** One company's failures must not lock the customer out at others, so each company has its own limit for an address. */
function accountLimit(companyId: number, email: string): Counted {
  return { key: `customer ${hidden(normalizeEmail(email))} of ${companyId}`, policy: ACCOUNT }
}

/** The limits of checking the password of a customer who exists. */
export function passwordLimits(companyId: number, email: string, now: Date): Limits {
  return [accountLimit(companyId, email), ...companyLimits(companyId, now)]
}

/**
 * The limits of a customer who signs in on a page of the service, known or not. They share no limit with the checks of
 * the company: a stranger could use it up, and the customer could neither order nor sign in at the shop.
 */
export function signInLimits(companyId: number, email: string, address: string): Limits {
  const key = `customer page ${hidden(normalizeEmail(email))} of ${companyId}`
  return [{ key, policy: ACCOUNT }, addressLimit(address, 'customer sign-in')]
}

/** Counts an attempt before it is made. Returns the seconds to wait, or none. */
export function takeCheck(tx: Tx, limits: Limits, now: Date): Promise<number> {
  return takeAttempt(tx, limits, now)
}

export function forgiveCheck(tx: Tx, limits: Limits): Promise<void> {
  return forgiveAttempt(tx, limits)
}

/** Takes the attempt back if the company has tried the same wrong password for this address before. */
export function noteWrong(
  tx: Tx,
  { companyId, email }: { companyId: number; email: string },
  limits: Limits,
  tried: Buffer,
): Promise<void> {
  return noteTried(tx, limits, accountLimit(companyId, email).key, tried)
}
