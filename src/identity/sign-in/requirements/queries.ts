import { lockCompany, requiresSecondFactor } from '#identity/companies/queries.ts'
import type { CompanyState } from '#identity/companies/state.ts'
import { countWithoutSecondFactor } from '#identity/users/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { SignInSettings } from './schema.ts'

/** What a company asks of everybody who signs in. */
export async function readSignInSettings(db: Db, companyId: number): Promise<SignInSettings> {
  const [second_factor_required, users_without_second_factor] = await Promise.all([
    requiresSecondFactor(db, companyId),
    countWithoutSecondFactor(db, companyId),
  ])
  return { second_factor_required, users_without_second_factor }
}

/** They are a part of the company, which is locked until the transaction ends. */
export function lockSignInSettings(tx: Tx, companyId: number): Promise<CompanyState> {
  return lockCompany(tx, companyId, String(companyId))
}
