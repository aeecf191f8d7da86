import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { Db } from '#platform/db/database.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { formatOf, readableName } from '#rights/content-files/media.rules.ts'
import type { Grant } from '#rights/content-files/state.ts'
import { decide, mayDownload } from '#rights/entitlements/rights/rules.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import { findPublicationOf } from '#rights/publications/queries.ts'
import { addressesOf } from '#rights/reading-licenses/present.ts'
import { findPassphrase, readLicenses, readLicensesEvents } from '#rights/reading-licenses/queries.ts'
import { isOpen, isReturnable, licenseStatus, registeredDevices } from '#rights/reading-licenses/rules.ts'
import { choosePublication, protectedFiles } from '#rights/reading-licenses/sources.rules.ts'

/** Who holds a license can register any number of apps under any name. */
const NAMED_MAX = 20
const DOWNLOAD = { action: 'download', device: null, client_time: null, pages: 1 } as const

/** What of a purchase opens in reading apps, and how. */
export async function readReading(
  db: Db,
  vault: Vault,
  { companyId, customerId }: Pick<CustomerSession, 'companyId' | 'customerId'>,
  grant: Grant,
  now: Date,
) {
  const files = protectedFiles(grant)
  const rights = rightsOf(grant.entitlement)
  if (files.length === 0 || !mayDownload(rights.terms)) return undefined
  const licenses = (await readLicenses(db, companyId, grant.entitlement.id)).filter(
    ({ returned_at }) => returned_at === null,
  )
  const ids = licenses.map(({ id }) => id)
  const [passphrase, known] = await Promise.all([
    findPassphrase(db, vault, { companyId, customerId }),
    ids.length === 0 ? undefined : readLicensesEvents(db, companyId, ids),
  ])
  const canGet = decide(rights, DOWNLOAD, now) === 'allowed'
  const books = files.map((file) => {
    const license = licenses.find(({ file_id }) => file_id === file.id)
    const events = (license && known?.get(license.id)) ?? []
    const isHeld = license !== undefined && isOpen(licenseStatus(license, events, rights, now))
    const devices = registeredDevices(events)
    const addresses = isHeld ? addressesOf('', license) : undefined
    return {
      file_id: file.id,
      name: readableName(file.name),
      format: formatOf(file.name),
      /** Can the customer get it now? */
      can_get: license === undefined && canGet,
      /** Where its license is, once the customer has one. */
      license_path: addresses?.license ?? '',
      /** Where the protected file is, with the license inside. */
      download_path: addresses?.download ?? '',
      /** What is returned; 0 if it cannot be. */
      license_id: isHeld && isReturnable(license, rights) ? license.id : 0,
      /** The reading apps that have opened it. */
      devices: devices.slice(0, NAMED_MAX).map(({ device_name }) => device_name),
      /** The license that all of them are removed from; 0 if there are none. */
      removable_id: license !== undefined && devices.length > 0 ? license.id : 0,
    }
  })
  const isShown = books.some(({ can_get, license_path }) => can_get || license_path !== '')
  return isShown
    ? { books, passphrase: books.some((book) => book.license_path !== '') ? (passphrase ?? '') : '' }
    : undefined
}

/** Is a file being encrypted? */
export async function isBeingEncrypted(db: Db, grant: Grant, fileId: string): Promise<boolean> {
  const file = protectedFiles(grant).find(({ id }) => String(id) === fileId)
  if (file === undefined) return false
  return (await findPublicationOf(db, choosePublication(grant, file.id).source))?.state === 'pending'
}
