import { FOLLOW_TERMS } from '#catalog/term-changes/jobs.ts'
import { recordChange } from '#history/audit/commands.ts'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import type { Author } from '#platform/identity/caller.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { changeLicense, newLicense, partIdsFor } from './changes.rules.ts'
import { licenseInUse } from './errors.ts'
import { presentLicense } from './present.ts'
import { countProductsUnder, LICENSES, lockLicense, lockLicenses, readCompaniesUnder, readLicenses } from './queries.ts'
import { GENERAL, INVALID } from './rules.ts'
import type { LicenseInput } from './schema.ts'
import { STARTER_LICENSES, type StarterLicense } from './starter.facts.ts'
import { missingTexts, starterInput } from './starter.rules.ts'
import type { LicenseState } from './state.ts'

/** Creates a license of the company. */
export async function createLicense(
  tx: Tx,
  author: Author,
  input: LicenseInput,
  now: Date,
): Promise<Written<LicenseState>> {
  const { companyId, userId } = author
  const { takeRowId, takePartId } = await takeIds(tx, LICENSES, 1, partIdsFor(input))
  const license = newLicense({ companyId, id: takeRowId(), userId: userId ?? 0 }, input, { now, takeId: takePartId })
  const row = columns(license)
  shopChanged(tx, row.company_id)
  await tx.insertInto('licenses').values(row).execute()
  await adjustCounter(tx, companyId, LICENSES, 1)
  await recordChange(tx, author, 'license created', inWords(license), now)
  return { state: license, document: row.document }
}

/**
 * Changes the fields that the input names. The products that show the license change with it, by a job; those already sold keep
 * the terms they were sold under.
 */
export async function updateLicense(
  tx: Tx,
  author: Author,
  ref: string,
  input: LicenseInput,
  now: Date,
): Promise<Written<LicenseState>> {
  const before = await lockLicense(tx, author.companyId, ref)
  const { takePartId } = await takeIds(tx, LICENSES, 0, partIdsFor(input))
  const after = changeLicense(before, input, { now, takeId: takePartId })
  await recordChange(tx, author, 'license changed', inWords(after), now)
  if (showsAnother(before, after)) await followLicense(tx, after, now)
  return saveLicense(tx, after)
}

/** Takes a license out of use, also one that products name. It stays, because bindings and orders name it. */
export async function invalidateLicense(
  tx: Tx,
  author: Author,
  ref: string,
  now: Date,
): Promise<Written<LicenseState>> {
  return updateLicense(tx, author, ref, { valid: INVALID }, now)
}

/** Takes a license out of use that no product names. It stays readable, because orders name it. */
export async function deleteLicense(tx: Tx, author: Author, ref: string, now: Date): Promise<Written<LicenseState>> {
  const before = await lockLicense(tx, author.companyId, ref)
  const products = await countProductsUnder(tx, author.companyId, before.id)
  if (products > 0) throw licenseInUse({ name: before.name, products })
  const after = { ...before, valid: INVALID, updated_at: now }
  await recordChange(tx, author, 'license deleted', inWords(after), now)
  return saveLicense(tx, after)
}

/** Changes the products that show a license, in every company if it is a general one. */
async function followLicense(tx: Tx, { company_id, id }: LicenseState, now: Date): Promise<void> {
  const companies = company_id === GENERAL ? await readCompaniesUnder(tx, id) : [company_id]
  const data = { price_ids: [], license_ids: [id] }
  await enqueue(
    tx,
    companies.map((companyId) => ({ kind: FOLLOW_TERMS, companyId, data })),
    now,
  )
}

function showsAnother(before: LicenseState, after: LicenseState): boolean {
  return columns({ ...before, updated_at: after.updated_at }).document !== columns(after).document
}

function inWords({ id, name }: LicenseState): string {
  return `${name} (${id})`
}

/**
 * Adds the general licenses that come with the service, each once, and the languages that they lack. What was changed of them
 * stays as it is.
 */
export async function addStarterLicenses(tx: Tx, now: Date): Promise<void> {
  const there = await readLicenses(tx, GENERAL, [...STARTER_LICENSES.keys()])
  const ids = new Set(there.map(({ id }) => id))
  await insertStarters(tx, new Map([...STARTER_LICENSES].filter(([id]) => !ids.has(id))), now)
  const incomplete = there.filter((license) => missingTexts(license).length > 0).map(({ id }) => id)
  if (incomplete.length > 0) await addMissingTexts(tx, incomplete, now)
}

async function insertStarters(tx: Tx, starters: ReadonlyMap<number, StarterLicense>, now: Date): Promise<void> {
  if (starters.size === 0) return
  const inputs = [...starters].map(([id, starter]) => ({ id, input: starterInput(starter) }))
  const { takePartId } = await takeIds(
    tx,
    LICENSES,
    0,
    inputs.reduce((sum, { input }) => sum + partIdsFor(input), 0),
  )
  const rows = inputs.map(({ id, input }) =>
    columns(newLicense({ companyId: GENERAL, id, userId: 0 }, input, { now, takeId: takePartId })),
  )
  // If two processes start at once, the second finds the licenses of the first.
  await tx
    .insertInto('licenses')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function addMissingTexts(tx: Tx, ids: number[], now: Date): Promise<void> {
  // Another process may have added them meanwhile.
  for (const before of await lockLicenses(tx, GENERAL, ids)) {
    const input = { locales: missingTexts(before) }
    if (input.locales.length === 0) continue
    const { takePartId } = await takeIds(tx, LICENSES, 0, partIdsFor(input))
    const after = changeLicense(before, input, { now, takeId: takePartId })
    await followLicense(tx, after, now)
    await saveLicense(tx, after)
  }
}

export async function saveLicense(tx: Tx, license: LicenseState): Promise<Written<LicenseState>> {
  const row = columns(license)
  shopChanged(tx, license.company_id)
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
