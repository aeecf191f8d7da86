import { admitUntil } from '#people/audience/group-members/commands.ts'
import type { Follower } from '#people/audience/rules.ts'
import { subscribeUntil } from '#people/audience/subscribers/commands.ts'
import { lockCustomer } from '#people/customers/queries.ts'
import { findGroup } from '#people/groups/queries.ts'
import { kindOf } from '#people/groups/rules.ts'
import type { Tx } from '#platform/db/database.ts'
import { type Fault, validationFailed } from '#platform/errors/problem.ts'
import { normalizeTypedCode } from '#platform/wire/typed-codes.ts'
import type { Written } from '#platform/wire/written.ts'
import { grantNow } from '#rights/entitlements/commands.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { saveCode } from './commands.ts'
import { codeGroupClosed, codeMistyped, codeUnknown, redeemerDisabled } from './errors.ts'
import { hasOwnCodes } from './own.queries.ts'
import { lockTypedCode } from './queries.ts'
import { entitlementsOf, isOfService, memberUntil, objectionToRedeeming } from './rules.ts'
import type { RedemptionCodeState } from './state.ts'

/**
 * Takes one use of a code into the account of a customer. Of a hundred requests for the last use, one gets it. A customer
 * may redeem a code with several uses as often as it has uses.
 */
export async function redeemCode(
  tx: Tx,
  companyId: number,
  customerRef: string,
  typed: string,
  now: Date,
): Promise<Written<EntitlementState[]>> {
  const { account } = await lockCustomer(tx, companyId, customerRef)
  if (account.state !== 'enabled') throw redeemerDisabled()
  const code = await lockTypedCode(tx, companyId, typed)
  if (code === undefined) throw validationFailed('code', await objectionToUnknown(tx, companyId, typed))
  const objection = objectionToRedeeming(code, now)
  if (objection !== undefined) throw validationFailed('code', objection)
  await saveCode(tx, code, { uses: code.uses + 1 }, now)
  const granted =
    code.group_id === null
      ? await grantNow(tx, entitlementsOf(code, account), account.language, now)
      : await join(tx, code, code.group_id, account, now)
  await tx
    .insertInto('redemptions')
    .values({
      company_id: companyId,
      code_id: code.id,
      customer_token: account.token,
      entitlement_ids: granted.state.map(({ id }) => id),
      created_at: now,
    })
    .execute()
  return granted
}

/** Makes the customer a member, and gives nothing beside that. Whoever is a member for longer stays one for longer. */
async function join(
  tx: Tx,
  code: RedemptionCodeState,
  groupId: string,
  customer: Follower,
  now: Date,
): Promise<Written<EntitlementState[]>> {
  const { company_id } = code
  const group = await findGroup(tx, company_id, groupId)
  if (group?.valid !== true) throw validationFailed('code', codeGroupClosed())
  const joinUntil = kindOf(groupId) === 'subscription' ? subscribeUntil : admitUntil
  await joinUntil(tx, company_id, customer, { group_id: groupId, until: memberUntil(code, now) }, now)
  return { state: [], document: '[]' }
}

/**
 * Why a code was not found. A typing mistake is told apart from a guess by the character that checks a code, which codes of a
 * company do not have: where there are such codes, everything that is not found counts as a guess.
 */
async function objectionToUnknown(tx: Tx, companyId: number, typed: string): Promise<Fault> {
  if (isOfService(normalizeTypedCode(typed)) || (await hasOwnCodes(tx, companyId))) return codeUnknown()
  return codeMistyped()
}
