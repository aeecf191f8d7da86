import { type Static, Type } from 'typebox'
import { ADDRESS_NAME_MAX, Address, AddressInput } from '#identity/addresses/schema.ts'
import { optional, Text } from '#platform/wire/schema.ts'

const texts = { password_option: Text(ADDRESS_NAME_MAX, 'Kept as it is.') }

/** A user has one address, so that it is always the default. */
export const UserAddress = Type.Object({ ...Address.properties, ...texts })

export const UserAddressInput = Type.Object({ ...AddressInput.properties, ...optional(texts) })

export type UserAddress = Static<typeof UserAddress>
export type UserAddressInput = Static<typeof UserAddressInput>
