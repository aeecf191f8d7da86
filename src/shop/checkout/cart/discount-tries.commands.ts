import { addressLimit, attempt, forgiveAttempt, type LimitDependencies } from '#identity/attempts/guard.ts'
import type { Tx } from '#platform/db/database.ts'
import { findDiscountCode } from '#selling/discount-codes/queries.ts'
import { tooManyCodes } from '../errors.ts'

/**
 * Counts codes that do not exist, so that nobody guesses one. The result takes the attempt back if the code exists; call it
 * in the transaction that uses the code.
 */
export function createCodeTries(dependencies: LimitDependencies) {
  return async (companyId: number, code: string, address: string): Promise<(tx: Tx) => Promise<void>> => {
    if (code === '') return async () => {}
    const limits = [addressLimit(address, `discount code of ${companyId}`)]
    const tried = await attempt(dependencies, limits, () => findDiscountCode(dependencies.db, companyId, code))
    if (tried.kind === 'wait') throw tooManyCodes(tried.seconds)
    return async (tx) => {
      if (tried.result !== undefined) await forgiveAttempt(tx, limits)
    }
  }
}
