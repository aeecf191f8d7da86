import { attempt, forgiveAttempt, type LimitDependencies } from '#identity/attempts/guard.ts'
import { ACCOUNT } from '#identity/attempts/rules.ts'
import { getAccount } from '#people/customers/queries.ts'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import { verifyPassword } from '#platform/identity/crypto.ts'

export type PasswordCheck =
  | { kind: 'right'; checkedHash: string }
  | { kind: 'wrong' }
  /** The account has no password yet: it is set through a link to the address, because a shop's own site may sign in. */
  | { kind: 'none' }
  | { kind: 'wait'; seconds: number }

/** Checks the present password of a signed-in customer, within a limit of its own. */
export function createPasswordCheck(dependencies: LimitDependencies) {
  return async ({ companyId, customerId }: CustomerSession, password: string): Promise<PasswordCheck> => {
    const { password_hash: checkedHash } = await getAccount(dependencies.db, companyId, String(customerId))
    if (checkedHash === null) return { kind: 'none' }
    const limits = [{ key: `customer account ${customerId} of ${companyId}`, policy: ACCOUNT }]
    const check = await attempt(dependencies, limits, () => verifyPassword(password, checkedHash))
    if (check.kind === 'wait') return check
    if (!check.result) return { kind: 'wrong' }
    await dependencies.change((tx) => forgiveAttempt(tx, limits))
    return { kind: 'right', checkedHash }
  }
}
