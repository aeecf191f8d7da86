import { homeAddress } from '#catalog/theme-settings/domains.rules.ts'
import { findShopByPath, findShopId } from '#catalog/theme-settings/queries.ts'
import { getAccount } from '#people/customers/queries.ts'
import type { Db } from '#platform/db/database.ts'

/** The shop of a company that its customers sign in to: the first one. Undefined if it has none. */
export async function findHome(
  db: Db,
  companyId: number,
): Promise<{ id: number; address: (baseUrl: string) => string } | undefined> {
  const id = await findShopId(db, companyId, 0)
  const shop = id === undefined ? undefined : await findShopByPath(db, String(id))
  return shop && { id: shop.id, address: (baseUrl) => homeAddress(shop, baseUrl) }
}

/** The customer whose data is exported; one of another company is not found. */
export async function getExported(db: Db, companyId: number, ref: string): Promise<{ id: number; token: string }> {
  const { id, token } = await getAccount(db, companyId, ref)
  return { id, token }
}
