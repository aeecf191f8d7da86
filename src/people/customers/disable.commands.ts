import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { saveAccount } from './accounts.commands.ts'
import { stateShared } from './errors.ts'
import { presentCustomer } from './present.ts'
import { lockCustomer, type OwnCustomer } from './queries.ts'
import type { AccountState } from './state.ts'

/** The operator runs the platform, so the operator may disable a customer whom several companies know. */
export type StateAuthor = Author & { isOperator?: boolean }

/**
 * Enables or disables a customer. The account is one for the whole platform, so a company may do it only as long as no
 * other company knows the customer. The audit log has the token, not the address: it outlives a deleted customer.
 */
export async function setCustomerState(
  tx: Tx,
  author: StateAuthor,
  ref: string,
  state: AccountState['state'],
  now: Date,
): Promise<Written<OwnCustomer>> {
  const known = await lockCustomer(tx, author.companyId, ref)
  const { account: before, own, relations } = known
  if (before.state === state)
    return { state: { account: before, own }, document: asciiJson(presentCustomer(before, own)) }
  if (relations.length > 1 && author.isOperator !== true) throw stateShared()
  const account = await saveAccount(tx, known, { ...before, state }, now)
  await recordChange(tx, author, `customer ${state}`, account.token, now)
  const relation = { ...own, updated_at: now }
  return { state: { account, own: relation }, document: asciiJson(presentCustomer(account, relation)) }
}
