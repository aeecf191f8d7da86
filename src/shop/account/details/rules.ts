import { COUNTRY_CODES } from '#identity/addresses/countries.facts.ts'
import type { AddressState } from '#identity/addresses/state.ts'

/** The fields of an address that customers fill in. */
export const ADDRESS_FIELDS = [
  'first_name',
  'last_name',
  'company',
  'address1',
  'address2',
  'zip',
  'city',
  'province',
  'country',
  'phone',
] as const
export const NAME_FIELDS = ['first_name', 'last_name'] as const

export type AddressForm = Record<(typeof ADDRESS_FIELDS)[number], string>
export type NameForm = Record<(typeof NAME_FIELDS)[number], string>

const TEXT_MAX = 100
const SHORT_MAX = 50
const SHORT = new Set(['zip', 'phone'])
const REQUIRED = ['first_name', 'last_name', 'address1', 'city', 'country'] as const

/** What was typed, without what cannot be stored. */
export function readForm<Name extends string>(form: Record<Name, string>): Record<Name, string> {
  const entries = Object.entries<string>(form).map(([name, text]) => [name, text.replace(/\p{Cc}/gu, ' ').trim()])
  return Object.fromEntries(entries) as Record<Name, string>
}

/** What is wrong with each field, as the key of a text. */
export function faultsIn(form: Readonly<Record<string, string>>, required: readonly string[]): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const [name, text] of Object.entries(form)) {
    if (text === '' && required.includes(name)) faults[name] = 'checkout.errors.required'
    else if (text.length > (SHORT.has(name) ? SHORT_MAX : TEXT_MAX)) faults[name] = 'account.errors.long'
  }
  return faults
}

export function addressFaults(form: AddressForm): Record<string, string> {
  const faults = faultsIn(form, REQUIRED)
  return form.country !== '' && !COUNTRY_CODES.has(form.country)
    ? { ...faults, country: 'checkout.errors.required' }
    : faults
}

export function addressForm(address: AddressState): AddressForm {
  return { ...address, country: address.country_code }
}
