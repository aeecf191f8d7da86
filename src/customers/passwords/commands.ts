import type { Tx } from '#platform/db/database.ts'
import { forgiveAttempt, hidden, takeAttempt } from '#sign-in/limits/commands.ts'
import { ACCOUNT, type Counted, oneSpelling } from '#sign-in/limits/rules.ts'
import { COMPANY_CHECKS, windowOf } from './rules.ts'

export type Limits = Counted[]

/** What a company's question about an e-mail address counts against. */
export function companyLimits(companyId: number, now: Date): Limits {
  return [{ key: `customers of ${companyId} ${windowOf(now)}`, policy: COMPANY_CHECKS }]
}

/** What the check of a password counts against, whether there is such a customer or not. */
export function passwordLimits(companyId: number, email: string, now: Date): Limits {
  return [{ key: `customer ${hidden(oneSpelling(email))}`, policy: ACCOUNT }, ...companyLimits(companyId, now)]
}

/** Counts an attempt before it is made. Answers the seconds to wait; none means go on. */
export function takeCheck(tx: Tx, limits: Limits, now: Date): Promise<number> {
  return takeAttempt(tx, limits, now)
}

export function forgiveCheck(tx: Tx, limits: Limits): Promise<void> {
  return forgiveAttempt(tx, limits)
}
