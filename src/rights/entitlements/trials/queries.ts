import { changeLicense, newLicense } from '#catalog/licenses/changes.rules.ts'
import { readLicenses } from '#catalog/licenses/queries.ts'
import { GENERAL } from '#catalog/licenses/rules.ts'
import type { LicenseState } from '#catalog/licenses/state.ts'
import { licenseUnknown } from '#catalog/products/errors.ts'
import type { Db } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { LicenseTrialInput } from './schema.ts'

/** The license that is tried: one that exists, one that is still to be made, or one with changes that are not saved. */
export async function readTriedLicense(
  db: Db,
  companyId: number,
  { license_id, license = {} }: LicenseTrialInput,
  now: Date,
): Promise<LicenseState> {
  const change = { now, takeId: () => 0 }
  if (license_id == null) return newLicense({ companyId, id: 0, userId: 0 }, { name: '-', ...license }, change)
  const [own] = await readLicenses(db, companyId, [license_id])
  const [found] = own === undefined ? await readLicenses(db, GENERAL, [license_id]) : [own]
  if (found === undefined) throw validationFailed('license_id', licenseUnknown())
  return changeLicense(found, license, change)
}
