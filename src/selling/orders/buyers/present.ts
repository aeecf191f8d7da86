import { presentCustomer } from '#people/customers/present.ts'
import type { Customer } from '#people/customers/schema.ts'
import type { AccountState } from '#people/customers/state.ts'
import type { Known } from './rules.ts'

/**
 * The copy of the customer that the order stores, with the address that counted for it. It is shown once the company has
 * removed the customer.
 */
export function presentBuyer(account: AccountState, { own, home }: Known): Customer {
  const addresses = home === undefined ? [] : [{ ...home, default: true }]
  const forgotten = { note: '', orders_count: 0, total_spent: 0, last_order_id: 0, last_order_name: '' }
  return {
    ...presentCustomer({ ...account, state: 'disabled' }, { ...own, addresses, ...forgotten }),
    addresses: [],
  }
}
