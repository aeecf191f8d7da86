import { type CheckOptions, createChecks } from '#people/customers/passwords/checks.commands.ts'
import type { Credentials } from '#people/customers/passwords/queries.ts'
import { findAccountByEmail } from '#people/customers/queries.ts'
import type { FieldPaths, LanguageHints } from '#people/customers/rules.ts'
import type { CustomerInput, NewCustomerInput } from '#people/customers/schema.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { OrderInput } from '../schema.ts'
import { passwordRequired } from './errors.ts'
import { hintsOf, readIdentity } from './rules.ts'

/** A guest gives an email address and chooses a password later, or never. */
export type NewGuestInput = CustomerInput & { email: string }

/**
 * The customer of an order, as far as known before the transaction. Passwords are checked before it, because that is slow
 * and failed checks always count.
 */
export type Buyer =
  | { kind: 'token'; token: string; path: string }
  | { kind: 'known'; email: string; details: CustomerInput; paths: FieldPaths }
  | { kind: 'guest'; input: NewGuestInput; paths: FieldPaths; hints: LanguageHints }
  | { kind: 'proven'; input: NewCustomerInput; credentials: Credentials; paths: FieldPaths; hints: LanguageHints }

type Asked = {
  query: { email?: string }
  acceptLanguage: string
  /** Does a user of the company make the order, for somebody who may have no account? */
  mayBeGuest?: boolean
}

/** Whoever has an account can order without a password, also from a company that does not know them yet. */
export function createBuyerChecks(options: CheckOptions) {
  const { prove } = createChecks(options)

  return async function identify(
    companyId: number,
    order: OrderInput,
    { query, acceptLanguage, mayBeGuest = false }: Asked,
  ): Promise<Buyer> {
    const identity = readIdentity(order, query)
    if (identity.kind === 'token') return identity
    const { email, password, details, paths } = identity
    if (password === undefined) {
      if ((await findAccountByEmail(options.db, email)) !== undefined) return { kind: 'known', email, details, paths }
      // Nobody types a password for somebody else: the customer chooses one later, or never.
      if (mayBeGuest)
        return { kind: 'guest', input: { ...details, email }, paths, hints: hintsOf(order, acceptLanguage) }
      throw validationFailed(paths.password, passwordRequired())
    }
    const input = { ...details, email, password }
    return {
      kind: 'proven',
      input,
      credentials: await prove(companyId, input, paths),
      paths,
      hints: hintsOf(order, acceptLanguage),
    }
  }
}
