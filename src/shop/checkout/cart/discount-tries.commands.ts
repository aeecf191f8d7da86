import { addressLimit, attempt, forgiveAttempt, type LimitDependencies } from '#identity/attempts/guard.ts'
import type { Tx } from '#platform/db/database.ts'
import { findDiscountCode } from '#selling/discount-codes/queries.ts'

/** `forgive` takes the attempt back if the code exists; call it in the transaction that uses the code. */
export type CodeTry = { kind: 'made'; forgive: (tx: Tx) => Promise<void> } | { kind: 'wait'; seconds: number }

/** Counts codes that do not exist, so that nobody guesses one. */
export function createCodeTries(dependencies: LimitDependencies) {
  return async (companyId: number, code: string, address: string): Promise<CodeTry> => {
    if (code === '') return { kind: 'made', forgive: async () => {} }
    const limits = [addressLimit(address, `discount code of ${companyId}`)]
    const tried = await attempt(dependencies, limits, () => findDiscountCode(dependencies.db, companyId, code))
    if (tried.kind === 'wait') return tried
    const forgive = async (tx: Tx) => {
      if (tried.result !== undefined) await forgiveAttempt(tx, limits)
    }
    return { kind: 'made', forgive }
  }
}
