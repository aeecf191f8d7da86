import { type CsvValue, importableLine } from '#platform/wire/csv.ts'
import type { CustomerAddress } from '../addresses/schema.ts'
import type { Customer } from '../schema.ts'

/** What the first row of a customer says. */
const OF_CUSTOMER = ['first_name', 'last_name', 'language', 'note'] as const satisfies readonly (keyof Customer)[]

const OF_ADDRESS = [
  'company',
  'address1',
  'address2',
  'city',
  'zip',
  'province',
  'province_code',
  'country_code',
  'phone',
] as const satisfies readonly (keyof CustomerAddress)[]

export const HEADING = importableLine([
  'email',
  ...OF_CUSTOMER,
  'address_number',
  'address_first_name',
  'address_last_name',
  ...OF_ADDRESS,
  'default_address',
])

/** Customers as the lines of a file that an import reads: each further address has a line of its own. */
export function linesOf(rows: readonly { document: string }[]): string {
  return rows
    .map(({ document }): Customer => JSON.parse(document))
    .flatMap((customer) => {
      const addresses = customer.addresses.length === 0 ? [undefined] : customer.addresses
      return addresses.map((address, place) => lineOf(customer, address, place))
    })
    .join('')
}

function lineOf(customer: Customer, address: CustomerAddress | undefined, place: number): string {
  const isFirst = place === 0
  /** Most addresses have the name of the customer, which needs not be said again. */
  const nameAt = (name: 'first_name' | 'last_name'): CsvValue =>
    address === undefined || address[name] === customer[name] ? '' : address[name]
  return importableLine([
    customer.email,
    ...OF_CUSTOMER.map((name) => (isFirst ? customer[name] : '')),
    address === undefined ? '' : place + 1,
    nameAt('first_name'),
    nameAt('last_name'),
    ...OF_ADDRESS.map((name) => address?.[name] ?? ''),
    address?.default === true && !isFirst ? true : '',
  ])
}
