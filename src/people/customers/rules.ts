import { languagesOf } from '#identity/addresses/countries.facts.ts'
import type { AddressContext } from '#identity/addresses/rules.ts'
import { languageId } from '#identity/languages/languages.facts.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { acceptedLanguages, primaryLanguage } from '#platform/text/accepted-languages.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { replaceAddresses } from './addresses/rules.ts'
import type { CustomerInput } from './schema.ts'
import type { AccountState, RelationState } from './state.ts'

/** `path` is the prefix of field names in reports. */
export type ChangeContext = AddressContext & { now: Date; path?: string }

/** Where a request has the fields of a customer, for the errors that name them. */
export type FieldPaths = { email: string; password: string; password_confirmation: string; details: string }

export const OWN_PATHS: FieldPaths = {
  email: 'email',
  password: 'password',
  password_confirmation: 'password_confirmation',
  details: '',
}

type Identity = Pick<AccountState, 'id' | 'token' | 'email' | 'password_hash' | 'language'>

export function newAccount(identity: Identity, now: Date): AccountState {
  return { ...identity, state: 'enabled', verified_email: false, created_at: now, updated_at: now }
}

/**
 * The account of somebody who has followed a link to the address. A password from before was chosen by a company: where
 * others know the customer too it ends, because it would open what they have sold. Where one company knows the customer it
 * stays, because the apps of that company send it with orders.
 */
export function asProved(account: AccountState, isKnownElsewhere: boolean): AccountState {
  if (account.verified_email) return account
  return { ...account, verified_email: true, password_hash: isKnownElsewhere ? null : account.password_hash }
}

/** The account after a change: fields that the body does not name stay. */
export function changeAccount(before: AccountState, input: CustomerInput): AccountState {
  const { email, language } = input
  const moved = email !== undefined && !isSameEmail(email, before.email)
  return {
    ...before,
    email: moved ? email : before.email,
    verified_email: before.verified_email && !moved,
    language: language?.toLowerCase() ?? before.language,
  }
}

/** The company's data after a change: fields that the body does not name stay, and null empties a text. */
export function changeRelation(before: RelationState, input: CustomerInput, context: ChangeContext): RelationState {
  const report = new FieldReport().within(context.path ?? '')
  reportUnstorable(input, report)
  const addresses =
    input.addresses === undefined
      ? before.addresses
      : replaceAddresses(before.addresses, input.addresses, context, report)
  report.throwIfAny()
  const text = (sent: string | null | undefined, kept: string) => (sent === undefined ? kept : (sent ?? ''))
  return {
    ...before,
    first_name: text(input.first_name, before.first_name),
    last_name: text(input.last_name, before.last_name),
    note: text(input.note, before.note),
    addresses,
    updated_at: context.now,
  }
}

/** What tells the language of a customer who names none, beside the addresses. */
export type LanguageHints = {
  /** The country that an order is shipped to; empty if there is none. */
  country: string
  /** The header of the request; empty if there is none. */
  acceptLanguage: string
}

/**
 * The language of a customer who names none: that of the address, of the country, or of the browser. Of several languages
 * of a country, the one that the browser asks for. Undefined if nothing tells it.
 */
export function guessLanguage(
  { addresses }: Pick<RelationState, 'addresses'>,
  { country, acceptLanguage }: LanguageHints,
): string | undefined {
  const home = addresses.find((address) => address.default)
  const isKnown = (language: string) => languageId(language) !== undefined
  if (home !== undefined && isKnown(home.language)) return home.language
  const asked = acceptedLanguages(acceptLanguage).map(primaryLanguage).filter(isKnown)
  const spoken = languagesOf(home?.country_code || country)
  return asked.find((language) => spoken.includes(language)) ?? spoken[0] ?? asked[0]
}

export function isSameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Are two states the same except for the time of the change? */
export function isUnchanged<State extends AccountState | RelationState>(before: State, after: State): boolean {
  if (before === after) return true
  return JSON.stringify({ ...before, updated_at: null }) === JSON.stringify({ ...after, updated_at: null })
}

/** The relation of a company that knows nothing of the customer but the account. */
export function emptyRelation(companyId: number, customerId: number, now: Date): RelationState {
  return {
    company_id: companyId,
    customer_id: customerId,
    first_name: '',
    last_name: '',
    addresses: [],
    note: '',
    orders_count: 0,
    total_spent: 0,
    last_order_id: 0,
    last_order_name: '',
    created_at: now,
    updated_at: now,
  }
}

const FIELDS = ['email', 'token', 'first_name', 'last_name'] as const

export type Search = { field: (typeof FIELDS)[number]; value: string }

/** The field and value of a search such as `email:jane@example.com`. */
export function parseSearch(query: string | undefined): Search | undefined {
  const [name = '', ...rest] = (query ?? '').split(':')
  const value = rest.join(':').trim()
  const field = FIELDS.find((known) => known === name.trim())
  return field === undefined || !value || value.includes('\0') ? undefined : { field, value }
}

export const SEARCHED_FIELDS = FIELDS.join(', ')
