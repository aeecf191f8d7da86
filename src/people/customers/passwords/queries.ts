import type { Db } from '#platform/db/database.ts'
import { findCustomerDocument, readCompanyNames } from '../queries.ts'
import type { AccountState } from '../state.ts'

export type Check =
  | { kind: 'right'; account: AccountState; document: string | undefined }
  | { kind: 'wrong'; companies: string[] }
  | { kind: 'unknown' }

/** The customer whose password was right, as the company sees it. */
export async function readRight(db: Db, companyId: number, account: AccountState): Promise<Check> {
  return { kind: 'right', account, document: await findCustomerDocument(db, companyId, account.id) }
}

export async function readWrong(db: Db, account: AccountState): Promise<Check> {
  return { kind: 'wrong', companies: await readCompanyNames(db, account.id) }
}

/** The result of checking the credentials of a customer that a company adds. */
export type Credentials =
  | { kind: 'new'; passwordHash: string | null }
  | { kind: 'known'; customerId: number; passwordHash: string | null }
  | { kind: 'wrong' }
  | { kind: 'limited'; seconds: number }
