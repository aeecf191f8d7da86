import { readThemeSettingIds, readThemeSettings } from '#catalog/theme-settings/queries.ts'
import { readOldestCompanyIds } from '#identity/companies/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { ownHost } from '#platform/wire/own-address.ts'

/** The only company of an installation, and where its shop is. */
export type OnlyShop = { companyId: number; address: string | undefined }

/** With several companies there is no shop to point to: undefined, as without any. */
export async function findOnlyShop(db: Db, baseUrl: string): Promise<OnlyShop | undefined> {
  const [companyId, another] = await readOldestCompanyIds(db, 2)
  return companyId === undefined || another !== undefined
    ? undefined
    : { companyId, address: await findShopAddress(db, companyId, baseUrl) }
}

/** The first shop of a company, on a host below that of the service, which needs no proof. */
export async function findShopAddress(db: Db, companyId: number, baseUrl: string): Promise<string | undefined> {
  const [shop] = await readThemeSettings(db, companyId, await readThemeSettingIds(db, companyId, 0, 1))
  if (shop === undefined) return undefined
  const address = new URL(baseUrl)
  address.hostname = `${shop.hosts.vanity_domain || shop.hosts.sub_domain}.${ownHost(baseUrl)}`
  return address.origin
}
