import type { Caller } from '#platform/caller.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { asciiJson } from '#platform/wire.ts'
import type { Written } from '#platform/written.ts'
import { changeLicense, newLicense, partIdsFor } from './changes.ts'
import { presentLicense } from './present.ts'
import { LICENSES, lockLicense, readLicenseIds } from './queries.ts'
import { GENERAL, INVALID } from './rules.ts'
import type { LicenseInput } from './schema.ts'
import { STARTER_LICENSES } from './starter.ts'
import type { LicenseState } from './state.ts'

/** Who makes a license; the command line is no user. */
type Owner = Pick<Caller, 'companyId'> & Partial<Pick<Caller, 'userId'>>

/** Makes a license of the company's own. */
export async function createLicense(
  tx: Tx,
  { companyId, userId = 0 }: Owner,
  input: LicenseInput,
  now: Date,
): Promise<Written<LicenseState>> {
  const { takeRowId, takePartId } = await takeIds(tx, LICENSES, 1, partIdsFor(input))
  const license = newLicense({ companyId, id: takeRowId(), userId }, input, { now, takeId: takePartId })
  const row = columns(license)
  await tx.insertInto('licenses').values(row).execute()
  await adjustCounter(tx, companyId, LICENSES, 1)
  return { state: license, document: row.document }
}

/** Changes what the input names. What was sold keeps the terms it was sold under. */
export async function updateLicense(
  tx: Tx,
  { companyId }: Owner,
  ref: string,
  input: LicenseInput,
  now: Date,
): Promise<Written<LicenseState>> {
  const before = await lockLicense(tx, companyId, ref)
  const { takePartId } = await takeIds(tx, LICENSES, 0, partIdsFor(input))
  return saveLicense(tx, changeLicense(before, input, { now, takeId: takePartId }))
}

/** Takes a license out of use. It stays, because bindings and orders name it. */
export async function invalidateLicense(tx: Tx, owner: Owner, ref: string, now: Date): Promise<Written<LicenseState>> {
  return updateLicense(tx, owner, ref, { valid: INVALID }, now)
}

/** Gives an installation the general licenses that come with the service, each once: one that was changed stays so. */
export async function addStarterLicenses(tx: Tx, now: Date): Promise<void> {
  const there = new Set(await readLicenseIds(tx, GENERAL, 0, Math.max(...STARTER_LICENSES.keys())))
  const missing = [...STARTER_LICENSES].filter(([id]) => !there.has(id))
  if (missing.length === 0) return
  const parts = missing.reduce((sum, [, input]) => sum + partIdsFor(input), 0)
  const { takePartId } = await takeIds(tx, LICENSES, 0, parts)
  const rows = missing.map(([id, input]) =>
    columns(newLicense({ companyId: GENERAL, id, userId: 0 }, input, { now, takeId: takePartId })),
  )
  // Two programs that start at once add them together: the second finds them there.
  await tx
    .insertInto('licenses')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function saveLicense(tx: Tx, license: LicenseState): Promise<Written<LicenseState>> {
  const row = columns(license)
  await tx
    .updateTable('licenses')
    .set(row)
    .where('company_id', '=', license.company_id)
    .where('id', '=', license.id)
    .execute()
  return { state: license, document: row.document }
}

function columns(license: LicenseState) {
  return {
    ...license,
    locales: JSON.stringify(license.locales),
    restriction_country: JSON.stringify(license.restriction_country),
    restriction_dvd_region: JSON.stringify(license.restriction_dvd_region),
    restriction_video_norm: JSON.stringify(license.restriction_video_norm),
    document: asciiJson(presentLicense(license)),
  }
}
