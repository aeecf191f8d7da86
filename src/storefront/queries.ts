import type { Db } from '#platform/db/database.ts'
import { findShopByHost } from '#theme-settings/queries.ts'
import type { Shop } from '#theme-settings/state.ts'

/** The shop that somebody meets who asks for a host, in one statement; undefined where there is none to meet. */
export function findStorefront(db: Db, host: string, ownHost: string): Promise<Shop | undefined> {
  return findShopByHost(db, host, ownHost)
}
