import type { Permission } from './permission.ts'

/** A user who has signed in, in one browser. */
export type Session = {
  /** The company of the user. */
  companyId: number
  /** The company that the user works for at the moment: the own one, or one that names it as its partner. */
  actsForId: number
  userId: number
  /** Identifies the session without granting access to it. */
  key: string
  /** Such a session opens nothing but the page that asks for the second factor. */
  secondFactorDue: boolean
  /** The company asks for a second factor, and the user has none: such a session opens nothing but the own account. */
  secondFactorMissing: boolean
  seenAt: Date
  /** The end of the session if it is not used again. */
  expiresAt: Date
  /** The names of the permissions that the user has. */
  permissions: ReadonlySet<Permission>
  /** The language that the user reads, as a two-letter code. */
  language: string
  /** Minutes by which the user's clock is ahead of UTC. */
  utcOffset: number
}
