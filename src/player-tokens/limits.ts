import { signInLimits } from '#customers/passwords/commands.ts'
import { addressLimit, attempt, hidden, type LimitDependencies } from '#sign-in/limits/commands.ts'
import { type Counted, MAILS, normalizeEmail } from '#sign-in/limits/rules.ts'
import { findByPassword } from './queries.ts'

/** Links that anybody may have mailed to an address are few, for the address and for the network that asks. */
function linkLimits(companyId: number, email: string, address: string): Counted[] {
  const key = `customer link mail ${hidden(normalizeEmail(email))} of ${companyId}`
  return [{ key, policy: MAILS }, addressLimit(address, 'customer link mail')]
}

/** Checks passwords and sends links within the limits. */
export function createAttempts(dependencies: LimitDependencies) {
  return {
    /** The account with a password, if it may sign in. Known and unknown addresses count the same. */
    async signIn(companyId: number, email: string, password: string, address: string) {
      const limits = signInLimits(companyId, email, address)
      const check = await attempt(dependencies, limits, () => findByPassword(dependencies.db, email, password))
      return check.kind === 'wait' ? check : { ...check, limits }
    },
    sendLink(companyId: number, email: string, address: string, work: () => Promise<void>) {
      return attempt(dependencies, linkLimits(companyId, email, address), work)
    },
  }
}
