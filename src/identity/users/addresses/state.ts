import type { AddressState } from '#identity/addresses/state.ts'

/** The address of a user as it is stored. */
export type UserAddressState = AddressState & { password_option: string }
