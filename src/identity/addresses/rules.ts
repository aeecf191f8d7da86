import { fieldTooLong } from '#platform/errors/faults.ts'
import type { FieldReport } from '#platform/errors/problem.ts'
import { countryUnknown } from './errors.ts'
import { ADDRESS_NAME_MAX, type AddressInput, type NamedAddressInput } from './schema.ts'
import type { AddressState } from './state.ts'

export type FindCountry = (text: string) => { code: string; name: string } | undefined

export type AddressContext = { takeId: () => number; findCountry: FindCountry }

const SPELLINGS = ['country_code', 'country', 'country_name'] as const

/** The country after an update. Clients send back all three spellings and change one: the one that differs counts. */
function changeCountry(
  before: AddressState | undefined,
  input: AddressInput,
  findCountry: FindCountry,
  report: FieldReport,
  path: string,
): { code: string; name: string } {
  const kept = { code: before?.country_code ?? '', name: before?.country ?? '' }
  for (const spelling of SPELLINGS) {
    const sent = input[spelling]?.trim() ?? kept.code
    if (sent === kept.code || sent === kept.name) continue
    const country = sent === '' ? { code: '', name: '' } : findCountry(sent)
    if (country === undefined) report.add(`${path}${spelling}`, countryUnknown('is not a country'))
    else if (country.code !== kept.code) return country
  }
  return kept
}

/** The address after an update. Absent fields stay. `path` is the prefix of field names in reports. */
export function changeAddress(
  before: AddressState | undefined,
  input: AddressInput,
  { takeId, findCountry }: AddressContext,
  report: FieldReport,
  path: string,
): AddressState {
  const text = (name: Exclude<keyof AddressInput, 'country_name'> & keyof AddressState) =>
    input[name] ?? before?.[name] ?? ''
  const country = changeCountry(before, input, findCountry, report, path)
  return {
    id: before?.id ?? takeId(),
    first_name: text('first_name'),
    last_name: text('last_name'),
    company: text('company'),
    address1: text('address1'),
    address2: text('address2'),
    city: text('city'),
    zip: text('zip'),
    province: text('province'),
    province_code: text('province_code'),
    country_code: country.code,
    country: country.name,
    phone: text('phone'),
    language: text('language').toLowerCase(),
  }
}

/** Splits a full name: its last word is the last name. */
function withNames(input: NamedAddressInput, before: AddressState | undefined): NamedAddressInput {
  const { name, first_name, last_name } = input
  if (typeof name !== 'string' || first_name !== undefined || last_name !== undefined) return input
  const words = name.trim()
  if (words === `${before?.first_name ?? ''} ${before?.last_name ?? ''}`.trim()) return input
  const gap = words.lastIndexOf(' ')
  return { ...input, first_name: words.slice(0, Math.max(0, gap)).trim(), last_name: words.slice(gap + 1) }
}

/** changeAddress for an input that can have the full name in one text. */
export function changeNamedAddress(
  before: AddressState | undefined,
  input: NamedAddressInput,
  context: AddressContext,
  report: FieldReport,
  path: string,
): AddressState {
  const address = changeAddress(before, withNames(input, before), context, report, path)
  if ([address.first_name, address.last_name].some((text) => [...text].length > ADDRESS_NAME_MAX))
    report.add(
      `${path}name`,
      fieldTooLong(`has a part that is too long (the maximum is ${ADDRESS_NAME_MAX} characters)`),
    )
  return address
}

/**
 * The address that takes the place of another one, with its id. Nothing of the other one stays, but a country that is
 * sent back in several spellings is still changed by the one that differs.
 */
export function replaceAddress(
  before: AddressState,
  input: NamedAddressInput,
  context: AddressContext,
  report: FieldReport,
  path: string,
): AddressState {
  const { country_code, country, country_name, ...rest } = input
  const spelled = Object.entries({ country_code, country, country_name }).filter(([, text]) => text?.trim())
  const { id } = before
  const blank = changeAddress(undefined, {}, { ...context, takeId: () => id }, report, path)
  const kept = spelled.length === 0 ? {} : { country_code: before.country_code, country: before.country }
  const sent = { ...rest, ...Object.fromEntries(spelled) }
  return changeNamedAddress({ ...blank, ...kept }, sent, context, report, path)
}

/** Does a body contain an address? Clients also send empty objects. */
export function isGiven<Input extends NamedAddressInput>(address: Input | null | undefined): address is Input {
  return Object.values(address ?? {}).some((value) => typeof value === 'string' && value.trim() !== '')
}

/** Does an address say where it is? One with a name or a phone number alone does not. */
export function isPlace(address: AddressInput | AddressState): boolean {
  const { address1, address2, city, zip, province, province_code, country_code, country } = address
  const name = 'country_name' in address ? address.country_name : undefined
  return [address1, address2, city, zip, province, province_code, country_code, country, name].some((text) =>
    text?.trim(),
  )
}
