import { emitToEach } from '#history/events/emit.commands.ts'
import { revokeGrantsOfCustomer } from '#identity/grants/commands.ts'
import { followCustomer } from '#people/audience/follow.commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { emailTaken } from './errors.ts'
import { endLinks } from './links/commands.ts'
import type { KnownAccount } from './queries.ts'
import { eventData, saveRelations } from './relations.commands.ts'
import { isUnchanged } from './rules.ts'
import { endSessionsOfCustomer } from './sessions/commands.ts'
import type { AccountState } from './state.ts'

/** Writes an account and its documents in all companies that know it, with events; does nothing if it is unchanged. */
export async function saveAccount(
  tx: Tx,
  { account: before, relations }: KnownAccount,
  after: AccountState,
  now: Date,
): Promise<AccountState> {
  if (isUnchanged(before, after)) return before
  const account = { ...after, updated_at: now }
  await tx.updateTable('customers').set(account).where('id', '=', account.id).execute().catch(refuseTaken)
  if (before.email !== after.email || before.password_hash !== after.password_hash) await endLinks(tx, account.id, now)
  const isDisabled = before.state === 'enabled' && after.state === 'disabled'
  // An app that the customer has not allowed with the present password may be that of somebody who knew the last one, and
  // before the address was proved anybody may have used it.
  const isProved = !before.verified_email && after.verified_email
  if (isDisabled || isProved || before.password_hash !== after.password_hash) {
    await revokeGrantsOfCustomer(tx, account.id, now)
    await endSessionsOfCustomer(tx, account.id)
  }
  const seen = relations.map((relation) => ({ ...relation, updated_at: now }))
  await saveRelations(tx, account, seen)
  const companyIds = relations.map(({ company_id }) => company_id)
  await emitToEach(tx, companyIds, 'customer/update', now, eventData(account))
  if (before.email !== after.email) await followCustomer(tx, companyIds, account, now)
  return account
}

/** Only the index detects two accounts that take an address at once. */
function refuseTaken(error: { code?: string; constraint?: string }): never {
  throw error.code === '23505' && error.constraint === 'customers_email'
    ? validationFailed('email', emailTaken())
    : error
}
