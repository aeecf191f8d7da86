import type { Db } from '#platform/db/database.ts'
import { findShopByHost } from '#theme-settings/queries.ts'
import type { Shop } from '#theme-settings/state.ts'

/** Finds the shop of a host in one statement, with its texts as they are stored for pages; undefined if there is none. */
export function findStorefront(db: Db, host: string, ownHost: string): Promise<Shop | undefined> {
  return findShopByHost(db, host, ownHost)
}
