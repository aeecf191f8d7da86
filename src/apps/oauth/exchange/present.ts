import { ACCESS_TOKEN_SECONDS } from '../rules.ts'
import type { TokenAnswer } from '../schema.ts'

type Issued = {
  clientId: string
  accessToken: string
  refreshToken: string
  scopes: string[]
  email: string
  customerToken?: string | undefined
}

/** Tokens as the API shows them. Each time appears under two names, because clients read either. */
export function presentTokens(tokens: Issued, now: Date): TokenAnswer {
  const { clientId, accessToken, refreshToken, scopes, email, customerToken } = tokens
  const issued = now.toUTCString()
  const expires = new Date(now.getTime() + ACCESS_TOKEN_SECONDS * 1000).toUTCString()
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: refreshToken,
    scope: scopes.join(','),
    access_type: 'offline',
    'as:client_id': clientId,
    userName: email,
    ...(customerToken === undefined ? {} : { customer_token: customerToken }),
    issued,
    expires,
    '.issued': issued,
    '.expires': expires,
  }
}
