import { readUsableLicenses } from '#catalog/licenses/queries.ts'
import type { LicenseState } from '#catalog/licenses/state.ts'
import type { Db } from '#platform/db/database.ts'

/** The licenses whose terms a company can say in words: those that it can sell under. */
export function readDescribedLicenses(db: Db, companyId: number): Promise<LicenseState[]> {
  return readUsableLicenses(db, companyId)
}
