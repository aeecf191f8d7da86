import { type RawBuilder, sql } from 'kysely'
import type { Value } from '#catalog/products/lists/appearance.queries.ts'
import { findThemePreview } from '#catalog/theme-settings/previews/queries.ts'
import { findShopByHost, findShopByPath } from '#catalog/theme-settings/queries.ts'
import type { Shop, StoredThemeLocale } from '#catalog/theme-settings/state.ts'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { NavigationRow } from './state.ts'

/** Finds the shop of a host in one statement, with its texts as they are stored for pages; undefined if there is none. */
export function findStorefront(db: Db, host: string, ownHost: string): Promise<Shop | undefined> {
  return findShopByHost(db, host, ownHost)
}

/** Finds a shop with changes that are not saved, and its long texts; undefined if there is no such preview. */
export async function findPreviewedShop(
  db: Db,
  id: string,
  token: string,
  now: Date,
): Promise<{ shop: Shop; locales: StoredThemeLocale[] } | undefined> {
  const shop = await findShopByPath(db, id)
  if (shop === undefined) return undefined
  const preview = await findThemePreview(db, shop.company_id, shop.id, token, now)
  return preview && { shop: { ...shop, ...preview.shop }, locales: preview.locales }
}

/** Finds the shop with the id in an address on the service's own host; undefined if there is none. */
export function findStorefrontById(db: Db, id: string): Promise<Shop | undefined> {
  return findShopByPath(db, id)
}

const NAVIGATION_MAX = 12

const enabledCategories = (companyId: Value<number>, which: RawBuilder<unknown>) =>
  sql<
    Columns<'categories', 'id' | 'title'> & Pick<NavigationRow, 'locales'>
  >`select category.id, category.title, category.locales from categories as category
    where category.company_id = ${companyId} and category.enabled and ${which}`

const topCategories = prepare((db: Db, companyId: number) =>
  enabledCategories(
    companyId,
    sql`category.parent_id is null order by category.position, category.id limit ${sql.lit(NAVIGATION_MAX)}`,
  ).compile(db),
)

const namedCategories = prepare((db: Db, companyId: number, ids: number[]) =>
  enabledCategories(companyId, sql`category.id = any(${ids}::bigint[])`).compile(db),
)

/** The enabled ones of the given categories, or else of those at the top, in the order of the shop owner. */
export function readNavigation(
  db: Db,
  companyId: number,
  ids: readonly number[] | undefined,
): Promise<NavigationRow[]> {
  return ids === undefined ? topCategories(db, companyId) : namedCategories(db, companyId, [...ids])
}

const ownersOf = prepare((db: Db, companyId: number) =>
  sql<
    Columns<'product_mirrors', 'owner_id'>
  >`select distinct owner_id from product_mirrors where company_id = ${companyId}`.compile(db),
)

/** The companies whose products a company mirrors. */
export async function readOwners(db: Db, companyId: number): Promise<number[]> {
  const rows = await ownersOf(db, companyId)
  return rows.map(({ owner_id }) => owner_id)
}

const plansOf = prepare((db: Db, companyId: number) =>
  sql<Columns<'plans', 'id'>>`select plans.id from plans where plans.company_id = ${companyId} limit 1`.compile(db),
)

/** Does a company sell plans, or did it? One that somebody has signed up to stays. */
export async function sellsPlans(db: Db, companyId: number): Promise<boolean> {
  return (await plansOf(db, companyId)).length > 0
}

const currenciesOf = prepare((db: Db, companyId: number) =>
  sql<{ currency: string }>`select distinct entry ->> 'currency' as currency
    from prices cross join json_array_elements(prices.currencies) as entry
    where prices.company_id = ${companyId} and prices.valid = 1`.compile(db),
)

/** The currencies that a company has prices in. */
export async function readCurrencies(db: Db, companyId: number): Promise<string[]> {
  const rows = await currenciesOf(db, companyId)
  return rows.map(({ currency }) => currency).sort()
}
