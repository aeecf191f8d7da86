import type { Entry } from '../importer/entries.ts'
import type { Row } from './file.ts'
import { type Columns, createPlaces, RowReader, withoutAbsent } from './values.ts'

/** Shopify writes the fields of the address with and without this prefix. */
const ofAddress = (...names: string[]) => names.flatMap((name) => [name, `defaultaddress${name}`])

/** The columns of a customer, ours and Shopify's, as `columnName` writes them. */
export const CUSTOMER_COLUMNS: Columns = {
  email: ['email', 'emailaddress'],
  first_name: ['firstname'],
  last_name: ['lastname'],
  name: ['name', 'fullname'],
  language: ['language'],
  note: ['note'],
  company: ofAddress('company'),
  address1: ofAddress('address1'),
  address2: ofAddress('address2'),
  city: ofAddress('city'),
  zip: ofAddress('zip'),
  province: ofAddress('province'),
  province_code: ofAddress('provincecode'),
  country_code: ofAddress('countrycode', 'country'),
  phone: ofAddress('phone'),
}

const ADDRESS_FIELDS = [
  'company',
  'address1',
  'address2',
  'city',
  'zip',
  'province',
  'province_code',
  'country_code',
  'phone',
] as const

/** A country has three names in an address, and one column. */
const COUNTRY_FIELDS = { country: 'country_code', country_name: 'country_code' }

/** The last word of a whole name is taken for the last name. */
export function nameParts(name = ''): { first_name?: string; last_name?: string } {
  const words = name.split(/\s+/).filter((word) => word !== '')
  if (words.length < 2) return words[0] === undefined ? {} : { last_name: words[0] }
  return { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) ?? '' }
}

/** A customer in the field names of the API, with one address. */
export function customerOf(row: Row): Entry {
  const reader = new RowReader(row, CUSTOMER_COLUMNS)
  const whole = nameParts(reader.text('name'))
  const name = withoutAbsent({
    first_name: reader.text('first_name') ?? whole.first_name,
    last_name: reader.text('last_name') ?? whole.last_name,
  })
  const address = withoutAbsent(Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, reader.text(field)])))
  const value = withoutAbsent({
    email: reader.text('email'),
    ...name,
    language: reader.text('language'),
    note: reader.text('note'),
    addresses: Object.keys(address).length === 0 ? undefined : [{ ...name, ...address }],
  })
  const placeOf = createPlaces(reader, {}, COUNTRY_FIELDS)
  return {
    where: `line ${row.line}`,
    lines: [row.line],
    placeOf,
    values: () => reader.values(),
    value,
    faults: reader.faults,
  }
}
