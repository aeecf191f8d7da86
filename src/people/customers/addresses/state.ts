import type { AddressState } from '#identity/addresses/state.ts'

/** An address of a customer as it is stored. */
export type CustomerAddressState = AddressState & { default: boolean }
