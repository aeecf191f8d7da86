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
  /** Opens its own transaction. */
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
}

/** Checks before a change: they are slow, or they count even if the change fails. */
export function createChecks({ db, now, change }: CheckOptions) {
  const take = (limits: Limits) => change((tx) => takeCheck(tx, limits, now()))
  const forgive = (limits: Limits) => change((tx) => forgiveCheck(tx, limits))

  /** Checks the password of the customer with an e-mail address. */
  async function check(companyId: number, email: string, password: string): Promise<Check> {
    const limits = passwordLimits(companyId, email, now())
    const seconds = await take(limits)
    if (seconds > 0) throw tooManyChecks(seconds)
    const result = await checkPassword(db, companyId, email, password)
    if (result.kind === 'right') await forgive(limits)
    return result
  }

  /** Checks the credentials of a customer to add. The change itself refuses, so that a repeat gets the same answer. */
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

  /** Hashes a new password. A new e-mail address counts as a question, because the answer tells if it is taken. */
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
