import type { FieldReport } from '#platform/problem.ts'
import { countryUnknown } from './errors.ts'
import type { AddressInput } from './schema.ts'
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
    const sent = input[spelling] === undefined ? kept.code : (input[spelling]?.trim() ?? '')
    if (sent === kept.code || sent === kept.name) continue
    const country = sent === '' ? { code: '', name: '' } : findCountry(sent)
    if (country === undefined) report.add(`${path}${spelling}`, countryUnknown('is not a country'))
    else if (country.code !== kept.code) return country
  }
  return kept
}

/**
 * The address after an update. Absent fields stay, null empties a text. `path` is the prefix of field names in reports.
 */
export function changeAddress(
  before: AddressState | undefined,
  input: AddressInput,
  { takeId, findCountry }: AddressContext,
  report: FieldReport,
  path: string,
): AddressState {
  const text = (name: Exclude<keyof AddressInput, 'country_name'> & keyof AddressState) =>
    (input[name] === undefined ? before?.[name] : input[name]) ?? ''
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
