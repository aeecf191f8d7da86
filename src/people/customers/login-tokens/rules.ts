import { parseTime } from '#platform/wire/times.ts'
import type { ImportedCustomer, NewCustomerInput } from '../schema.ts'
import type { LoginTokenContent } from './schema.ts'

/** A token that names the time at which it was made is refused this long after it. */
export const LIFETIME_MS = 15 * 60_000

/** The clock of the site that made the token may be ahead by this much. */
const AHEAD_MS = 60_000

/** The customer whom a token names: by token, or by email address and password. */
export type NamedCustomer =
  | { kind: 'token'; token: string }
  | { kind: 'credentials'; input: NewCustomerInput & ImportedCustomer }

export type LoginToken = {
  customer: NamedCustomer
  /** The only network address from which it works. */
  remoteIp: string | undefined
  returnTo: string | undefined
  createdAt: Date | undefined
}

/** Why nobody is let in. The reason is for the log: the answer is the same for all. */
export type LoginRefusal =
  | 'the token was not made with the secret of the company'
  | 'the content is not that of a login token'
  | 'created_at is not a time'
  | 'the token is too old'
  | 'the token comes from the future'
  | 'the token is for another network address'
  | 'the token was used already'
  | 'the company does not know the customer'
  | 'the customer is disabled'
  | 'the password is wrong'
  | 'too many wrong passwords'
  | 'the company is disabled'

/** A JSON object without the fields that are null, which count as absent. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([name, part]) => [name, withoutNulls(part)]),
  )
}

/** The token behind a content whose fields have passed validation. */
export function readLoginToken(content: LoginTokenContent): LoginToken | LoginRefusal {
  const { email, password, first_name, last_name, language, addresses, ...rest } = content
  const token = rest.customer_token || rest.token
  const createdAt = rest.created_at ? parseTime(rest.created_at) : undefined
  if (rest.created_at && createdAt === undefined) return 'created_at is not a time'
  const more = { remoteIp: rest.remote_ip || undefined, returnTo: rest.return_to || undefined, createdAt }
  if (token) return { customer: { kind: 'token', token }, ...more }
  if (!email || !password) return 'the content is not that of a login token'
  const details = {
    ...(first_name === undefined ? {} : { first_name }),
    ...(last_name === undefined ? {} : { last_name }),
    ...(language === undefined ? {} : { language }),
    ...(addresses === undefined ? {} : { addresses }),
  }
  return { customer: { kind: 'credentials', input: { email, password, ...details } }, ...more }
}

/** Checks the time and the network address, in this order. */
export function refusalOf(
  { createdAt, remoteIp }: LoginToken,
  isFrom: (address: string) => boolean,
  now: Date,
): LoginRefusal | undefined {
  const age = createdAt === undefined ? 0 : now.getTime() - createdAt.getTime()
  if (age > LIFETIME_MS) return 'the token is too old'
  if (age < -AHEAD_MS) return 'the token comes from the future'
  if (remoteIp !== undefined && !isFrom(remoteIp)) return 'the token is for another network address'
  return undefined
}

/** The time after which a token is refused for its age, so that nobody has to remember that it was used. */
export function expiryOf({ createdAt }: Pick<LoginToken, 'createdAt'>): Date | null {
  return createdAt === undefined ? null : new Date(createdAt.getTime() + LIFETIME_MS + AHEAD_MS)
}
