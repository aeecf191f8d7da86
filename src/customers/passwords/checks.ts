import { hashPassword } from '#platform/crypto.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Prepared } from '../commands.ts'
import { tooManyChecks } from '../errors.ts'
import { getAccount } from '../queries.ts'
import { isSameEmail } from '../rules.ts'
import type { CustomerInput, NewCustomerInput } from '../schema.ts'
import { companyLimits, forgiveCheck, type Limits, passwordLimits, takeCheck } from './commands.ts'
import { type Check, type Credentials, checkPassword, readCredentials } from './queries.ts'
import { assertChoosable } from './rules.ts'

export type CheckOptions = {
  db: Db
  now: () => Date
  /** Opens a transaction of its own. */
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
}

/** What comes before a change because it is slow, or because it counts whatever becomes of the change. */
export function createChecks({ db, now, change }: CheckOptions) {
  const take = (limits: Limits) => change((tx) => takeCheck(tx, limits, now()))
  const forgive = (limits: Limits) => change((tx) => forgiveCheck(tx, limits))

  /** Checks the password of whichever customer has an e-mail address. */
  async function check(companyId: number, email: string, password: string): Promise<Check> {
    const limits = passwordLimits(companyId, email, now())
    const seconds = await take(limits)
    if (seconds > 0) throw tooManyChecks(seconds)
    const result = await checkPassword(db, companyId, email, password)
    if (result.kind === 'right') await forgive(limits)
    return result
  }

  /** Says what the company knows of a customer that it adds. What is refused is refused by the change: one that was done is told again. */
  async function prove(
    companyId: number,
    input: NewCustomerInput,
  ): Promise<{ credentials: Credentials; limits: Limits }> {
    assertChoosable(input)
    const limits = passwordLimits(companyId, input.email, now())
    const seconds = await take(limits)
    if (seconds > 0) return { credentials: { kind: 'limited', seconds }, limits }
    const credentials = await readCredentials(db, input.email, input.password)
    if (credentials.kind === 'known') await forgive(limits)
    return { credentials, limits }
  }

  /** Hashes a new password. A new e-mail address tells whether somebody has it, so that it counts as a question. */
  async function prepare(companyId: number, ref: string, input: CustomerInput): Promise<Prepared> {
    assertChoosable(input)
    const { email, password } = input
    if (email === undefined && typeof password !== 'string') return { passwordHash: undefined, limits: [] }
    const { email: present } = await getAccount(db, companyId, ref)
    const limits = email === undefined || isSameEmail(email, present) ? [] : companyLimits(companyId, now())
    const seconds = limits.length === 0 ? 0 : await take(limits)
    if (seconds > 0) throw tooManyChecks(seconds)
    return { passwordHash: typeof password === 'string' ? await hashPassword(password) : undefined, limits }
  }

  return { check, prove, prepare }
}
