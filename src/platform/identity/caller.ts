import type { Origin } from './origin.ts'
import type { Session } from './session.ts'

/** The caller of a request: an app or a signed-in user, for one company, with a user's permission. */
export type Caller = {
  companyId: number
  /** 0 for a user who is signed in, without an app. */
  appId: number
  /** 0 if a customer let the app in. */
  userId: number
  /** The customer whom a token acts for, and who limits it to what that customer owns. Null: it acts for the company. */
  customerId: number | null
  clientId: string
  scopes: ReadonlySet<string>
  expiresAt: Date
}

/**
 * The author of a change, for the audit log. The command line has no user and no app. Without an origin, as in a seed,
 * nothing is written to the audit log.
 */
export type Author = Pick<Caller, 'companyId'> & Partial<Pick<Caller, 'userId' | 'appId'>> & { origin?: Origin }

/** A signed-in user as a caller. */
export function callerOf({ companyId, userId, expiresAt }: Session): Caller {
  return { companyId, appId: 0, userId, customerId: null, clientId: '', scopes: new Set(), expiresAt }
}
