import type { AddressState } from '#addresses/state.ts'

/** An address of a customer as it is stored. */
export type CustomerAddressState = AddressState & { default: boolean }
