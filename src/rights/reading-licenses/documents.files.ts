import { findFirstShop } from '#catalog/theme-settings/queries.ts'
import type { Db } from '#platform/db/database.ts'
import type { Vault } from '#platform/identity/vault.ts'
import type { ReadingSettings } from '#platform/settings/reading-settings.ts'
import { getEntitlement } from '#rights/entitlements/queries.ts'
import { statusOf } from '#rights/entitlements/rights/rules.ts'
import { refusalInWords } from '#rights/entitlements/rights/sentences.rules.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import { openContentKey } from '#rights/publications/content-keys.secrets.ts'
import { alreadyReturned, readingClosed, readingLicenseNotFound } from './errors.ts'
import { presentLicense, presentStatus } from './present.ts'
import { openProvider } from './provider/provider.files.ts'
import { signDocument } from './provider/signature.secrets.ts'
import { licenseKeys, passphraseHash } from './provider/user-keys.secrets.ts'
import { findPassphrase, getLicenseByUid, readWhole } from './queries.ts'
import type { ReadingLicense, WholeLicense } from './state.ts'

type Dependencies = { db: Db; vault: Vault; reading: ReadingSettings | undefined; baseUrl: string }

/** What the address of a license says. */
export type LicenseRef = { companyId: number; uid: string }

function entitlementOf(db: Db, { company_id, customer_id, entitlement_id }: ReadingLicense) {
  return getEntitlement(db, { companyId: company_id, customerId: customer_id }, String(entitlement_id))
}

/**
 * The publication of a license, if its customer may read it now: the rights engine is asked whenever a reading app fetches
 * something. After the end of the license, apps may still fetch the license, which they renew.
 */
export async function getOpenLicense(db: Db, { companyId, uid }: LicenseRef, now: Date): Promise<WholeLicense> {
  const license = await getLicenseByUid(db, companyId, uid)
  const [{ entitlement, language }, whole] = await Promise.all([entitlementOf(db, license), readWhole(db, license)])
  if (license.returned_at !== null) throw alreadyReturned()
  const rights = rightsOf(entitlement)
  const { refusal } = statusOf(rights, now)
  if (refusal !== null) throw readingClosed(refusalInWords(refusal, rights, now, language))
  return whole
}

/** The signed license, as the bytes of its file. They are the same until it changes. */
export async function readLicenseDocument(
  { db, vault, reading, baseUrl }: Dependencies,
  whole: WholeLicense,
): Promise<Buffer> {
  const { license, publication } = whole
  const { company_id: companyId, customer_id: customerId } = license
  const [{ entitlement, language }, passphrase, shop, provider] = await Promise.all([
    entitlementOf(db, license),
    findPassphrase(db, vault, { companyId, customerId }),
    findFirstShop(db, companyId),
    openProvider(reading),
  ])
  if (passphrase === undefined) throw readingLicenseNotFound()
  const place = shop === undefined ? '' : `/shop/${shop.id}/my-content/${entitlement.id}`
  const document = presentLicense(whole, {
    profile: provider.profile,
    baseUrl,
    hintUrl: `${baseUrl}${place}`,
    language,
    entitlement,
    rights: rightsOf(entitlement),
    keys: licenseKeys(
      license.uid,
      await provider.userKeyOf(passphraseHash(passphrase)),
      openContentKey(vault, publication.content_key),
    ),
  })
  return Buffer.from(JSON.stringify(signDocument(provider, document)))
}

/** The status document of a license: what reading apps ask for when they open it. */
export async function readStatusDocument(
  { db, baseUrl }: Pick<Dependencies, 'db' | 'baseUrl'>,
  { companyId, uid }: LicenseRef,
  now: Date,
) {
  const license = await getLicenseByUid(db, companyId, uid)
  const [{ entitlement, language }, whole] = await Promise.all([entitlementOf(db, license), readWhole(db, license)])
  return presentStatus(whole, { baseUrl, language, entitlement, rights: rightsOf(entitlement) }, now)
}
