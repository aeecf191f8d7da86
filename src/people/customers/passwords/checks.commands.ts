import { type MachineClock, nowInSeconds } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { hashPassword, tryPassword } from '#platform/identity/crypto.ts'
import type { Prepared } from '../commands.ts'
import { tooManyChecks } from '../errors.ts'
import { findAccountByEmail, getAccount } from '../queries.ts'
import { type FieldPaths, isSameEmail } from '../rules.ts'
import type { CustomerInput, NewCustomerInput } from '../schema.ts'
import type { AccountState } from '../state.ts'
import { companyLimits, forgiveCheck, type Limits, noteWrong, passwordLimits, takeCheck } from './commands.ts'
import { type Check, type Credentials, readRight, readWrong } from './queries.ts'
import { assertChoosable } from './rules.ts'

export type CheckOptions = {
  db: Db
  clock: MachineClock
  /** Opens its own transaction. */
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
}

type Comparison = { kind: 'right' } | { kind: 'wrong' } | { kind: 'limited'; seconds: number }

/** Checks before a change: they are slow, or they count even if the change fails. */
export function createChecks({ db, clock, change }: CheckOptions) {
  const take = (limits: Limits) => change((tx) => takeCheck(tx, limits, nowInSeconds(clock)))
  const forgive = (limits: Limits) => change((tx) => forgiveCheck(tx, limits))

  /**
   * Checks the password of a customer who exists, within the limits. It is counted before it is checked; the right one,
   * and a wrong one that the company has tried before, are taken back. An account without a password has none to guess.
   */
  async function compare(companyId: number, account: AccountState, password: string): Promise<Comparison> {
    if (account.password_hash === null) return { kind: 'wrong' }
    const limits = passwordLimits(companyId, account.email, nowInSeconds(clock))
    const seconds = await take(limits)
    if (seconds > 0) return { kind: 'limited', seconds }
    const { isRight, tried } = await tryPassword(password, account.password_hash)
    if (isRight) await forgive(limits)
    else await change((tx) => noteWrong(tx, { companyId, email: account.email }, limits, tried))
    return { kind: isRight ? 'right' : 'wrong' }
  }

  /** Checks the password of the customer with an email address. An unknown address is not counted. */
  async function check(companyId: number, email: string, password: string): Promise<Check> {
    const account = await findAccountByEmail(db, email)
    if (account === undefined) return { kind: 'unknown' }
    const result = await compare(companyId, account, password)
    if (result.kind === 'limited') throw tooManyChecks(result.seconds)
    return result.kind === 'right' ? readRight(db, companyId, account) : readWrong(db, account)
  }

  /**
   * Checks the credentials of a customer to add. The change itself refuses, so that a repeat gets the same answer. No
   * limit holds up a customer who does not exist yet.
   */
  async function prove(companyId: number, input: NewCustomerInput, paths?: FieldPaths): Promise<Credentials> {
    assertChoosable(input, paths)
    const account = await findAccountByEmail(db, input.email)
    if (account === undefined) return { kind: 'new', passwordHash: await hashPassword(input.password) }
    const result = await compare(companyId, account, input.password)
    if (result.kind !== 'right') return result
    return { kind: 'known', customerId: account.id, passwordHash: account.password_hash }
  }

  /** Hashes a new password. A new email address counts as a question, because the answer tells if it is taken. */
  async function prepare(companyId: number, ref: string, input: CustomerInput): Promise<Prepared> {
    assertChoosable(input)
    const { email, password } = input
    if (email === undefined && typeof password !== 'string') return { passwordHash: undefined, limits: [] }
    const { email: present } = await getAccount(db, companyId, ref)
    const limits =
      email === undefined || isSameEmail(email, present) ? [] : companyLimits(companyId, nowInSeconds(clock))
    const seconds = limits.length === 0 ? 0 : await take(limits)
    if (seconds > 0) throw tooManyChecks(seconds)
    return { passwordHash: typeof password === 'string' ? await hashPassword(password) : undefined, limits }
  }

  return { check, prove, prepare }
}
