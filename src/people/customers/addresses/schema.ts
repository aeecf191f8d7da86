import { type Static, Type } from 'typebox'
import { Address, NamedAddressInput } from '#identity/addresses/schema.ts'
import { Reference } from '#platform/wire/schema.ts'

/** The limit keeps an account a small row. */
export const ADDRESSES_MAX = 100

export const CustomerAddress = Type.Object(Address.properties, { $id: 'CustomerAddress' })

const inputs = {
  ...NamedAddressInput.properties,
  default: Type.Optional(
    Type.Boolean({ description: 'True makes it the default; false changes nothing, because one of them always is.' }),
  ),
}

export const CustomerAddressInput = Type.Object(inputs, {
  $id: 'CustomerAddressInput',
  examples: [{ first_name: 'Jane', last_name: 'Roe', address1: 'Main Street 1', zip: '10115', city: 'Berlin' }],
})

/** An address in the list that a customer is created or changed with. */
export const ListedAddressInput = Type.Object({
  id: Type.Optional(Reference('Id of an address to keep. Without one that is known it is added.')),
  ...inputs,
})

export type CustomerAddress = Static<typeof CustomerAddress>
export type CustomerAddressInput = Static<typeof CustomerAddressInput>
export type ListedAddressInput = Static<typeof ListedAddressInput>
