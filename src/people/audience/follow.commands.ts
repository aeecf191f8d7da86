import type { Tx } from '#platform/db/database.ts'
import { deleteMembershipsOf, followGroupMember } from './group-members/commands.ts'
import { deleteRecipientsOf, followRecipient } from './news-recipients/commands.ts'
import type { Follower } from './rules.ts'
import { deleteSubscriptionsOf, followSubscriber } from './subscribers/commands.ts'

/**
 * Gives the entries with the address of a customer the token, and entries with the token the address. The caller has
 * locked the account, and names companies that know the customer.
 */
export async function followCustomer(
  tx: Tx,
  companyIds: readonly number[],
  { email, token }: Follower,
  now: Date,
): Promise<void> {
  const customer = { email, token }
  await Promise.all([
    followSubscriber(tx, companyIds, customer, now),
    followGroupMember(tx, companyIds, customer, now),
    followRecipient(tx, companyIds, customer, now),
  ])
}

/** Deletes everything that a company has about a customer here, also under the address alone. */
export async function forgetCustomer(tx: Tx, companyId: number, { email, token }: Follower): Promise<void> {
  const customer = { email, token }
  await deleteSubscriptionsOf(tx, companyId, customer)
  await deleteMembershipsOf(tx, companyId, customer)
  await deleteRecipientsOf(tx, companyId, customer)
}
