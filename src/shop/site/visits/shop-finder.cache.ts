import type { Shop } from '#catalog/theme-settings/state.ts'
import type { Db } from '#platform/db/database.ts'
import type { Made, ShopCache } from '#shop/cache/cache.ts'
import { findStorefront, findStorefrontById } from '../queries.ts'

declare module '#shop/cache/cache.ts' {
  interface CacheValues {
    shop: Shop | undefined
  }
}

/** The address of a shop: a host of its own, or its id below the service's own host. */
export type ShopAddress = { host: string; ownHost: string } | { id: string }

/** Finds the shop of an address. It is kept until its company changes, because every page and form begins with it. */
export function createShopFinder(db: Db, cache: ShopCache) {
  async function make(address: ShopAddress): Promise<Made<Shop | undefined>> {
    const shop = await ('id' in address
      ? findStorefrontById(db, address.id)
      : findStorefront(db, address.host, address.ownHost))
    if (shop === undefined) return { value: undefined, size: 0, isForOthers: false }
    return { value: shop, size: JSON.stringify(shop).length, isForOthers: true, companyIds: [shop.company_id] }
  }

  /** `since` is the last change that is known. */
  return (address: ShopAddress, since: number): Promise<Shop | undefined> => {
    const key = 'id' in address ? `/${address.id}` : `${address.host} ${address.ownHost}`
    return cache.share('shop', key, { companyIds: 'all', since }, () => make(address))
  }
}
