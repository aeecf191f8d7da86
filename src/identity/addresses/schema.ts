import { type Static, Type } from 'typebox'
import { Id, optional, Text } from '#platform/wire/schema.ts'

export const ADDRESS_NAME_MAX = 100
const SHORT_MAX = 50

const texts = {
  first_name: Text(ADDRESS_NAME_MAX, 'First name.', ['Jane']),
  last_name: Text(ADDRESS_NAME_MAX, 'Last name.', ['Roe']),
  company: Text(ADDRESS_NAME_MAX, 'Name of the company.'),
  address1: Text(ADDRESS_NAME_MAX, 'Street and number.'),
  address2: Text(ADDRESS_NAME_MAX, 'Second line of the address.'),
  city: Text(ADDRESS_NAME_MAX, 'City.'),
  zip: Text(SHORT_MAX, 'Postal code.'),
  province: Text(ADDRESS_NAME_MAX, 'Province or state.'),
  province_code: Text(SHORT_MAX, 'Code of the province or state.', ['TX']),
  phone: Text(SHORT_MAX, 'Phone number.'),
}

/** The fields that every address has. */
export const Address = Type.Object({
  id: Id('Id of the address. Read-only.'),
  ...texts,
  name: Type.String({ description: 'Full name.', examples: ['Jane Roe'] }),
  country: Type.String({ description: 'Name of the country in English; empty: none.', examples: ['Germany'] }),
  country_name: Type.String({ description: 'The same as `country`.', examples: ['Germany'] }),
  country_code: Type.String({ description: 'Two-letter ISO code of the country; empty: none.', examples: ['DE'] }),
  language: Type.String({ description: 'Two-letter code of the language; empty: none.', examples: ['en'] }),
  token: Type.String({ description: 'Token of the owner. Read-only.' }),
  default: Type.Boolean({ description: 'Whether it is the one that is used where none is named.' }),
})

const Country = (description: string) => Type.Optional(Text(ADDRESS_NAME_MAX, description, ['DE', 'Germany']))

export const AddressInput = Type.Object({
  ...optional(texts),
  country_code: Country(
    'Code of two or three letters, English name or own name of the country. Of the three the one that differs counts.',
  ),
  country: Country('Another name of `country_code`.'),
  country_name: Country('Another name of `country_code`.'),
  language: Type.Optional(
    Type.String({ pattern: '^([A-Za-z]{2})?$', description: 'Two-letter code of the language.' }),
  ),
})

/** An address of a person, whose name can be sent in one text. */
export const NamedAddressInput = Type.Object({
  ...AddressInput.properties,
  name: Type.Optional(
    Text(2 * ADDRESS_NAME_MAX + 1, 'Full name. Counts if neither `first_name` nor `last_name` is there.', ['Jane Roe']),
  ),
})

export type Address = Static<typeof Address>
export type NamedAddressInput = Static<typeof NamedAddressInput>
export type AddressInput = Static<typeof AddressInput>
