import { addressLimit, attempt, hidden, type LimitDependencies } from '#identity/attempts/guard.ts'
import { MAILS, normalizeEmail, type Policy } from '#identity/attempts/rules.ts'
import type { CompanyTime } from '#platform/clock.ts'
import { networkOf } from '#platform/outbound/addresses.ts'
import { declareWithdrawal } from '#selling/orders/withdrawals/commands.ts'
import type { Declaration } from '#selling/orders/withdrawals/state.ts'

/** For all declarations with one address together. One network never uses them up. */
const ALL: Policy = { ...MAILS, free: 20 }

/** Takes declarations of customers, within limits: anybody can send the form, and each leads to mails. */
export function createDeclarations(dependencies: LimitDependencies & { now: CompanyTime }) {
  const { change, now } = dependencies
  return (companyId: number, declaration: Omit<Declaration, 'received_at'>, address: string) => {
    const key = `withdrawal of ${hidden(normalizeEmail(declaration.email))} from ${companyId}`
    const limits = [
      { key: `${key} in ${networkOf(address)}`, policy: MAILS },
      { key, policy: ALL },
      addressLimit(address, 'withdrawal'),
    ]
    return attempt(dependencies, limits, () => {
      const time = now(companyId)
      const received_at = time.toISOString()
      return change((tx) => declareWithdrawal(tx, companyId, { ...declaration, received_at }, time))
    })
  }
}
