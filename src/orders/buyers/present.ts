import { presentCustomer } from '#customers/present.ts'
import type { Customer } from '#customers/schema.ts'
import type { AccountState, RelationState } from '#customers/state.ts'

/** The copy of the customer that the order stores. It is shown once the company has removed the customer. */
export function presentBuyer(account: AccountState, own: RelationState): Customer {
  const addresses = own.addresses.filter((address) => address.default)
  const forgotten = { note: '', orders_count: 0, total_spent: 0, last_order_id: 0, last_order_name: '' }
  return {
    ...presentCustomer({ ...account, state: 'disabled' }, { ...own, addresses, ...forgotten }),
    addresses: [],
  }
}
