import { addressLimit, attempt, hidden, type LimitDependencies } from '#identity/attempts/guard.ts'
import { MAILS, normalizeEmail, type Policy } from '#identity/attempts/rules.ts'
import type { CompanyTime } from '#platform/clock.ts'
import { networkOf } from '#platform/outbound/addresses.ts'
import { declareCancellation } from '#selling/subscriptions/declarations/commands.ts'
import type { CancellationDeclaration } from '#selling/subscriptions/declarations/state.ts'

/** For all declarations with one address together. One network never uses them up. */
const ALL: Policy = { ...MAILS, free: 20 }

/** Takes cancellations of customers, within limits: anybody can send the form, and each leads to mails. */
export function createCancellations(dependencies: LimitDependencies & { now: CompanyTime }) {
  const { change, now } = dependencies
  return (companyId: number, declaration: CancellationDeclaration, address: string) => {
    const key = `cancellation by ${hidden(normalizeEmail(declaration.email))} at ${companyId}`
    const limits = [
      { key: `${key} in ${networkOf(address)}`, policy: MAILS },
      { key, policy: ALL },
      addressLimit(address, 'cancellation'),
    ]
    return attempt(dependencies, limits, () =>
      change((tx) => declareCancellation(tx, companyId, declaration, now(companyId))),
    )
  }
}
