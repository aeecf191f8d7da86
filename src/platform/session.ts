/** A user who has signed in, in one browser. */
export type Session = {
  companyId: number
  userId: number
  /** Identifies the session without granting access to it. */
  key: string
  /** Such a session opens nothing but the page that asks for the second factor. */
  secondFactorDue: boolean
  seenAt: Date
}
