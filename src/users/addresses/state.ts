import type { AddressState } from '#addresses/state.ts'

/** The address of a user as it is kept. */
export type UserAddressState = AddressState & { password_option: string }
