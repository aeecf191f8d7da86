import type { TProperties } from 'typebox'
import type { CompanyTime, MachineClock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { App } from '../state.ts'

/** The tokens of an exchange, and the person for whom they act. */
export type IssuedTokens = {
  kind: 'tokens'
  accessToken: string
  refreshToken: string
  scopes: string[]
  email: string
  /** Only if they act for a customer. */
  customerToken?: string | undefined
}

export type ExtensionRequest = {
  app: App
  parameters: Record<string, string>
  /** The network address of the request. */
  address: string
  acceptLanguage: string
}

export type ExtensionDependencies = {
  db: Db
  now: CompanyTime
  clock: MachineClock
  /** Opens its own transaction. */
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
}

/** A grant type of a resource that knows more than apps and users (RFC 6749, 4.5). */
export type ExtensionGrant = {
  /** Its URI, and the short names that are understood too. */
  grantTypes: readonly string[]
  parameters: TProperties
  /** The reason of a refusal is for the log; a caller who can do better gets an OAuthError. */
  create(dependencies: ExtensionDependencies): (request: ExtensionRequest) => Promise<IssuedTokens | ExtensionRefusal>
}

export type ExtensionRefusal = { kind: 'refused'; why: string }
