import type { AddressContext } from '#addresses/rules.ts'
import { FieldReport } from '#platform/problem.ts'
import { reportUnstorable } from '#platform/storable.ts'
import { joinAddresses, replaceAddresses } from './addresses/rules.ts'
import type { CustomerInput } from './schema.ts'
import type { AccountState, RelationState } from './state.ts'

export type ChangeContext = AddressContext & { now: Date }

type Identity = Pick<AccountState, 'id' | 'token' | 'email' | 'password_hash' | 'language'>

export function newAccount(identity: Identity, input: CustomerInput, context: ChangeContext): AccountState {
  const blank: AccountState = {
    ...identity,
    first_name: '',
    last_name: '',
    state: 'enabled',
    verified_email: false,
    addresses: [],
    created_at: context.now,
    updated_at: context.now,
  }
  const { email, ...details } = input
  return changeAccount(blank, details, context)
}

/** The account after a change: fields that the body does not name stay, and null empties a text. */
export function changeAccount(before: AccountState, input: CustomerInput, context: ChangeContext): AccountState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  const addresses =
    input.addresses === undefined
      ? before.addresses
      : replaceAddresses(before.addresses, input.addresses, context, report)
  report.throwIfAny()
  const text = (sent: string | null | undefined, kept: string) => (sent === undefined ? kept : (sent ?? ''))
  const moved = input.email !== undefined && !isSameEmail(input.email, before.email)
  return {
    ...before,
    email: moved ? (input.email ?? '') : before.email,
    verified_email: before.verified_email && !moved,
    first_name: text(input.first_name, before.first_name),
    last_name: text(input.last_name, before.last_name),
    language: input.language?.toLowerCase() ?? before.language,
    addresses,
  }
}

/** The account after another company has added it: existing values stay, missing ones come from the body. */
export function joinAccount(before: AccountState, input: CustomerInput, context: ChangeContext): AccountState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  const addresses = joinAddresses(before.addresses, input.addresses ?? [], context, report)
  report.throwIfAny()
  return {
    ...before,
    first_name: before.first_name || (input.first_name ?? ''),
    last_name: before.last_name || (input.last_name ?? ''),
    addresses,
  }
}

export function isSameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Would other companies see a difference? */
export function isSameAccount(one: AccountState, other: AccountState): boolean {
  return JSON.stringify({ ...one, updated_at: null }) === JSON.stringify({ ...other, updated_at: null })
}

/** The relation of a company that has sold nothing to the customer yet. */
export function newRelation(companyId: number, customerId: number, note: string, now: Date): RelationState {
  return {
    company_id: companyId,
    customer_id: customerId,
    note,
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
