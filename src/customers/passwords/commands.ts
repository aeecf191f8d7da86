import type { Tx } from '#platform/db/database.ts'
import { forgiveAttempt, hidden, takeAttempt } from '#sign-in/limits/commands.ts'
import { ACCOUNT, type Counted, normalizeEmail } from '#sign-in/limits/rules.ts'
import { COMPANY_CHECKS, windowOf } from './rules.ts'

export type Limits = Counted[]

/** The limit for a company's questions about e-mail addresses. */
export function companyLimits(companyId: number, now: Date): Limits {
  return [{ key: `customers of ${companyId} ${windowOf(now)}`, policy: COMPANY_CHECKS }]
}

/** The limits of a password check, the same whether the customer exists or not. */
export function passwordLimits(companyId: number, email: string, now: Date): Limits {
  return [{ key: `customer ${hidden(normalizeEmail(email))}`, policy: ACCOUNT }, ...companyLimits(companyId, now)]
}

/** Counts an attempt before it is made. Returns the seconds to wait, or none. */
export function takeCheck(tx: Tx, limits: Limits, now: Date): Promise<number> {
  return takeAttempt(tx, limits, now)
}

export function forgiveCheck(tx: Tx, limits: Limits): Promise<void> {
  return forgiveAttempt(tx, limits)
}
