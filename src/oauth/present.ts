import type { TokenInformation } from './schema.ts'

type Holder = { clientId: string; userId: number; scopes: ReadonlySet<string>; expiresAt: Date }

/** What a token may do, for the app that uses it. */
export function presentTokenInformation(caller: Holder, now: Date): TokenInformation {
  return {
    issued_to: caller.clientId,
    user_id: String(caller.userId),
    scope: [...caller.scopes].join(','),
    expires_in: String(Math.ceil((caller.expiresAt.getTime() - now.getTime()) / 1000)),
    access_type: 'offline',
  }
}
