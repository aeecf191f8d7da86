import type { TokenInformation } from './schema.ts'

type Known = { clientId: string; userId: number | null; scopes: ReadonlySet<string>; expiresAt: Date }

/** What a token may do, for the app that uses it. A token that acts for a customer names that customer. */
export function presentTokenInformation(
  caller: Known,
  customer: { id: number; token: string; companyId: number } | undefined,
  now: Date,
): TokenInformation {
  return {
    issued_to: caller.clientId,
    user_id: String(customer?.id ?? caller.userId),
    scope: [...caller.scopes].join(','),
    expires_in: String(Math.ceil((caller.expiresAt.getTime() - now.getTime()) / 1000)),
    access_type: 'offline',
    ...(customer === undefined ? {} : { company_id: String(customer.companyId), customer_token: customer.token }),
  }
}
