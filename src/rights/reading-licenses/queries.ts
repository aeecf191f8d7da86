import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf } from '#platform/db/expressions.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { findPublication } from '#rights/publications/queries.ts'
import { isReady } from '#rights/publications/rules.ts'
import { readingLicenseNotFound } from './errors.ts'
import { openPassphrase } from './passphrases.secrets.ts'
import type { LicenseEvent, ReadingLicense, WholeLicense } from './state.ts'

/** Every read of licenses for reading apps starts here, so none can forget the company. */
function licensesOf(db: Db, companyId: number) {
  return db.selectFrom('reading_licenses').where('reading_licenses.company_id', '=', companyId)
}

function passphrasesOf(db: Db, companyId: number) {
  return db.selectFrom('reading_passphrases').where('reading_passphrases.company_id', '=', companyId)
}

/** The passphrase of a customer; undefined before the first license. */
export async function findPassphrase(
  db: Db,
  vault: Vault,
  { companyId, customerId }: { companyId: number; customerId: number },
): Promise<string | undefined> {
  const row = await passphrasesOf(db, companyId)
    .select('reading_passphrases.sealed')
    .where('reading_passphrases.customer_id', '=', customerId)
    .executeTakeFirst()
  return row && openPassphrase(vault, row.sealed)
}

const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The license that a reading app names. */
export async function getLicenseByUid(db: Db, companyId: number, uid: string): Promise<ReadingLicense> {
  const license = UID.test(uid)
    ? await licensesOf(db, companyId).selectAll().where('reading_licenses.uid', '=', uid).executeTakeFirst()
    : undefined
  if (license === undefined) throw readingLicenseNotFound()
  return license
}

/** getLicenseByUid that holds the row until the transaction ends: lock its entitlement first. */
export async function lockLicense(tx: Tx, { company_id, id }: ReadingLicense): Promise<ReadingLicense> {
  const license = await licensesOf(tx, company_id)
    .selectAll()
    .where('reading_licenses.id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (license === undefined) throw readingLicenseNotFound()
  return license
}

/** The license of a file that the customer has and has not returned. */
export function findHeldLicense(
  db: Db,
  companyId: number,
  entitlementId: number,
  fileId: number,
): Promise<ReadingLicense | undefined> {
  return licensesOf(db, companyId)
    .selectAll()
    .where('reading_licenses.entitlement_id', '=', entitlementId)
    .where('reading_licenses.file_id', '=', fileId)
    .where('reading_licenses.returned_at', 'is', null)
    .executeTakeFirst()
}

const LICENSES_MAX = 500

/** The licenses of an entitlement, the oldest first. */
export function readLicenses(db: Db, companyId: number, entitlementId: number): Promise<ReadingLicense[]> {
  return licensesOf(db, companyId)
    .selectAll()
    .where('reading_licenses.entitlement_id', '=', entitlementId)
    .orderBy('reading_licenses.id')
    .limit(LICENSES_MAX)
    .execute()
}

/** Every read of what reading apps did starts here, so none can forget the company. */
function eventsOf(db: Db, companyId: number) {
  return db.selectFrom('reading_license_events').where('company_id', '=', companyId)
}

/** What reading apps did with a license, in order. */
export function readEvents(db: Db, { company_id, id }: ReadingLicense, limit: number): Promise<LicenseEvent[]> {
  return eventsOf(db, company_id)
    .select(['type', 'device_id', 'device_name', 'created_at'])
    .$narrowType<Pick<LicenseEvent, 'type'>>()
    .where('license_id', '=', id)
    .orderBy('id')
    .limit(limit)
    .execute()
}

const LISTED_EVENTS_MAX = 5000

/** Which reading apps have opened and renewed some licenses, by the ids of these. */
export async function readLicensesEvents(
  db: Db,
  companyId: number,
  licenseIds: readonly number[],
): Promise<Map<number, LicenseEvent[]>> {
  const rows = await eventsOf(db, companyId)
    .select(['license_id', 'type', 'device_id', 'device_name', 'created_at'])
    .$narrowType<Pick<LicenseEvent, 'type'>>()
    .where('license_id', '=', anyOf(licenseIds))
    .where('type', 'in', ['register', 'renew'])
    .orderBy('license_id')
    .orderBy('id')
    .limit(LISTED_EVENTS_MAX)
    .execute()
  return Map.groupBy(rows, ({ license_id }) => license_id)
}

export const EVENTS_MAX = 1000

/** A license with everything that a reading app gets to know. */
export async function readWhole(db: Db, license: ReadingLicense): Promise<WholeLicense> {
  const [events, publication] = await Promise.all([
    readEvents(db, license, EVENTS_MAX),
    findPublication(db, license.publication_company_id, license.publication_id),
  ])
  if (publication === undefined || !isReady(publication)) throw readingLicenseNotFound()
  return { license, events, publication }
}
