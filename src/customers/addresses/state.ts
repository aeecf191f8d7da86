import type { AddressState } from '#addresses/state.ts'

/** An address of a customer as it is kept. */
export type CustomerAddressState = AddressState & { default: boolean }
