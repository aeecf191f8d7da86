import { lockCustomer } from '#people/customers/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Written } from '#platform/wire/written.ts'
import { grantNow } from '#rights/entitlements/commands.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { saveCode } from './commands.ts'
import { codeUnknown, redeemerDisabled } from './errors.ts'
import { lockTypedCode } from './queries.ts'
import { entitlementsOf, objectionToRedeeming } from './rules.ts'

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
  if (code === undefined) throw validationFailed('code', codeUnknown())
  const objection = objectionToRedeeming(code, now)
  if (objection !== undefined) throw validationFailed('code', objection)
  await saveCode(tx, code, { uses: code.uses + 1 }, now)
  const granted = await grantNow(tx, entitlementsOf(code, account), account.language, now)
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
