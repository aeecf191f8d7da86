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
  address_number: ['addressnumber'],
  address_first_name: ['addressfirstname'],
  address_last_name: ['addresslastname'],
  default_address: ['defaultaddress'],
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

const textOf = (row: Row, field: string) => new RowReader(row, CUSTOMER_COLUMNS).text(field)

/** Puts rows of the same customer together: each that says so adds an address. They follow each other. */
export async function* groupCustomers(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let group: Row[] = []
  for await (const row of rows) {
    const [first] = group
    const isFurther = Number(textOf(row, 'address_number') ?? 1) > 1
    if (first !== undefined && !(isFurther && textOf(first, 'email') === textOf(row, 'email'))) {
      yield group
      group = []
    }
    group.push(row)
  }
  if (group.length > 0) yield group
}

/** A customer in the field names of the API, with the address of each row. */
export function customerOf(rows: readonly Row[]): Entry {
  const readers = rows.map((row) => new RowReader(row, CUSTOMER_COLUMNS))
  const [reader] = readers
  if (reader === undefined) throw new Error('a customer has at least one row')
  const whole = nameParts(reader.text('name'))
  const name = withoutAbsent({
    first_name: reader.text('first_name') ?? whole.first_name,
    last_name: reader.text('last_name') ?? whole.last_name,
  })
  const located = readers.flatMap((each) => {
    const address = addressOf(each)
    return address === undefined ? [] : [{ address: { ...name, ...address }, reader: each }]
  })
  const value = withoutAbsent({
    email: reader.text('email'),
    ...name,
    language: reader.text('language'),
    note: reader.text('note'),
    addresses: located.length === 0 ? undefined : located.map(({ address }) => address),
  })
  return {
    where: `line ${reader.line}`,
    lines: rows.map(({ line }) => line),
    placeOf: createPlaces(reader, { addresses: located.map((each) => each.reader) }, COUNTRY_FIELDS),
    values: () => reader.values(),
    value,
    faults: readers.flatMap(({ faults }) => faults),
  }
}

/** The address of a row, with the name that it has of its own; undefined if the row has none. */
function addressOf(reader: RowReader): Record<string, unknown> | undefined {
  const address = withoutAbsent({
    first_name: reader.text('address_first_name'),
    last_name: reader.text('address_last_name'),
    ...Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, reader.text(field)])),
    default: reader.flag('default_address'),
  })
  return Object.keys(address).length === 0 ? undefined : address
}
