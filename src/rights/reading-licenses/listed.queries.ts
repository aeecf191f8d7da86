import type { Db } from '#platform/db/database.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { getOwner } from '#rights/entitlements/devices/queries.ts'
import { getEntitlement, type Viewer } from '#rights/entitlements/queries.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import { presentShown } from './present.ts'
import { findPassphrase, readLicenses, readLicensesEvents } from './queries.ts'
import type { ReadingLicenseShown } from './schema.ts'

/** The passphrase of a customer as the API shows it; null before the first license. */
export async function readPassphrase(db: Db, vault: Vault, viewer: Viewer, ref: string): Promise<string | null> {
  return (await findPassphrase(db, vault, await getOwner(db, viewer, ref))) ?? null
}

/** The licenses of an entitlement as the API shows them, the oldest first. */
export async function readShownLicenses(
  db: Db,
  viewer: Viewer,
  ref: string,
  baseUrl: string,
  now: Date,
): Promise<ReadingLicenseShown[]> {
  const { entitlement } = await getEntitlement(db, viewer, ref)
  const licenses = await readLicenses(db, entitlement.company_id, entitlement.id)
  const ids = licenses.map(({ id }) => id)
  const events = ids.length === 0 ? undefined : await readLicensesEvents(db, entitlement.company_id, ids)
  const rights = rightsOf(entitlement)
  return licenses.map((license) => presentShown(license, events?.get(license.id) ?? [], rights, baseUrl, now))
}
