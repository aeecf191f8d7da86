import { presentAddress } from '#identity/addresses/present.ts'
import { wireTime } from '#platform/wire/times.ts'
import type { CustomerAddress } from './addresses/schema.ts'
import type { CustomerAddressState } from './addresses/state.ts'
import type { Customer } from './schema.ts'
import type { AccountState, RelationState } from './state.ts'

/** A customer as one company sees it; stored with every change, sent by every read. */
export function presentCustomer(account: AccountState, relation: RelationState): Customer {
  const addresses = presentAddresses(account.token, relation)
  return {
    id: account.id,
    token: account.token,
    email: account.email,
    first_name: relation.first_name,
    last_name: relation.last_name,
    language: account.language,
    created_at: wireTime(relation.created_at),
    updated_at: wireTime(relation.updated_at),
    orders_count: relation.orders_count,
    total_spent: relation.total_spent,
    last_order_id: relation.last_order_id,
    last_order_name: relation.last_order_name,
    note: relation.note,
    state: account.state,
    verified_email: account.verified_email,
    default_address: addresses.find((address) => address.default) ?? null,
    addresses,
  }
}

export function presentAddresses(token: string, { addresses }: Pick<RelationState, 'addresses'>): CustomerAddress[] {
  return addresses.map((address) => presentOwnAddress(address, token))
}

/** An address of a customer, under the token of the customer. */
export function presentOwnAddress(address: CustomerAddressState, token: string): CustomerAddress {
  return presentAddress(address, token, address.default)
}
