import { hashPassword, verifyPassword } from '#platform/crypto.ts'
import type { Db } from '#platform/db/database.ts'
import { findAccountByEmail, findCustomerDocument, readCompanyNames } from '../queries.ts'
import type { AccountState } from '../state.ts'

export type Check =
  | { kind: 'right'; account: AccountState; document: string | undefined }
  | { kind: 'wrong'; companies: string[] }
  | { kind: 'unknown' }

/** Is this the password of the customer with this address? An unknown customer takes the same time. */
export async function checkPassword(db: Db, companyId: number, email: string, password: string): Promise<Check> {
  const account = await findAccountByEmail(db, email)
  const isRight = await verifyPassword(password, account?.password_hash)
  if (account === undefined) return { kind: 'unknown' }
  if (!isRight) return { kind: 'wrong', companies: await readCompanyNames(db, account.id) }
  return { kind: 'right', account, document: await findCustomerDocument(db, companyId, account.id) }
}

/** The result of checking the credentials of a customer that a company adds. */
export type Credentials =
  | { kind: 'new'; passwordHash: string | null }
  | { kind: 'known'; customerId: number; passwordHash: string | null }
  | { kind: 'wrong' }
  | { kind: 'limited'; seconds: number }

/** Checks the password of an existing customer, or hashes that of a new one: slow work that precedes the change. */
export async function readCredentials(db: Db, email: string, password: string): Promise<Credentials> {
  const account = await findAccountByEmail(db, email)
  if (account === undefined) return { kind: 'new', passwordHash: await hashPassword(password) }
  const isRight = await verifyPassword(password, account.password_hash)
  return isRight ? { kind: 'known', customerId: account.id, passwordHash: account.password_hash } : { kind: 'wrong' }
}
