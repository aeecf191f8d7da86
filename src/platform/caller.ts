/** The caller of a request: an app, for one company, with a user's permission. */
export type Caller = {
  companyId: number
  appId: number
  userId: number
  clientId: string
  scopes: ReadonlySet<string>
  expiresAt: Date
}
