import { addressLimit, attempt, hidden, type LimitDependencies } from '#identity/attempts/guard.ts'
import { type Counted, MAILS, normalizeEmail, type Policy } from '#identity/attempts/rules.ts'
import { signInLimits } from '#people/customers/passwords/commands.ts'
import { networkOf } from '#platform/outbound/addresses.ts'
import { findByPassword } from './queries.ts'

/** For all links to one address together. One network never uses them up. */
const ALL_LINKS: Policy = { ...MAILS, free: 20 }

/** Anybody may have links mailed to an address, so one network gets few for it, and all networks together get some more. */
function linkLimits(companyId: number, email: string, address: string): Counted[] {
  const key = `customer link mail ${hidden(normalizeEmail(email))} of ${companyId}`
  return [
    { key: `${key} from ${networkOf(address)}`, policy: MAILS },
    { key, policy: ALL_LINKS },
    addressLimit(address, 'customer link mail'),
  ]
}

/** Checks passwords and sends links within the limits. */
export function createAttempts(dependencies: LimitDependencies) {
  return {
    /** The account with a password, if it may sign in. Known and unknown addresses count the same. */
    async signIn(companyId: number, email: string, password: string, address: string) {
      const limits = signInLimits(companyId, email, address)
      const check = await attempt(dependencies, limits, () =>
        findByPassword(dependencies.db, companyId, email, password),
      )
      return check.kind === 'wait' ? check : { ...check, limits }
    },
    sendLink(companyId: number, email: string, address: string, work: () => Promise<void>) {
      return attempt(dependencies, linkLimits(companyId, email, address), work)
    },
  }
}
