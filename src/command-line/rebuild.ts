import { saveCategory } from '#categories/commands.ts'
import { CATEGORIES, lockHierarchy, readCategories, readCategoryKeys } from '#categories/queries.ts'
import { refreshCompany } from '#companies/commands.ts'
import { readCompanyIds } from '#companies/queries.ts'
import { resetCounter } from '#platform/db/counters.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { writeDocuments } from '#products/commands.ts'
import { lockProducts, PRODUCTS, readProductKeys } from '#products/queries.ts'
import { refreshThemeSettings } from '#theme-settings/commands.ts'
import { readThemeSettingIds, THEME_SETTINGS } from '#theme-settings/queries.ts'
import { refreshUser } from '#users/commands.ts'
import { readUserIds, USERS } from '#users/queries.ts'

const BATCH = 500

/** Writes every stored document anew, after a change of what a presenter shows, and sets the counters right. */
export async function rebuild(
  db: Db,
): Promise<{ companies: number; theme_settings: number; users: number; products: number; categories: number }> {
  const done = { companies: 0, theme_settings: 0, users: 0, products: 0, categories: 0 }
  for (const companyId of await readCompanyIds(db)) {
    await inTransaction(db, (tx) => refreshCompany(tx, companyId))
    const themeSettings = await walk(
      db,
      (after) => readThemeSettingIds(db, companyId, after, BATCH),
      (tx, ids) => refreshThemeSettings(tx, companyId, ids),
    )
    const users = await walk(
      db,
      (after) => readUserIds(db, companyId, after, BATCH),
      async (tx, ids) => {
        for (const id of ids) await refreshUser(tx, companyId, id)
      },
    )
    const products = await walk(
      db,
      (after) => readProductKeys(db, companyId, after, BATCH),
      async (tx, keys) => writeDocuments(tx, companyId, await lockProducts(tx, companyId, keys)),
    )
    const categories = await walk(
      db,
      (after) => readCategoryKeys(db, companyId, after, BATCH),
      async (tx, ids) => {
        await lockHierarchy(tx, companyId)
        for (const category of await readCategories(tx, companyId, ids)) await saveCategory(tx, category)
      },
    )
    await inTransaction(db, (tx) => recount(tx, companyId))
    done.companies += 1
    done.theme_settings += themeSettings
    done.users += users
    done.products += products
    done.categories += categories
  }
  return done
}

/** Goes through all ids in order, a batch a transaction: the service goes on working meanwhile. */
async function walk(
  db: Db,
  next: (after: number) => Promise<number[]>,
  write: (tx: Tx, ids: number[]) => Promise<void>,
): Promise<number> {
  let count = 0
  for (let ids = await next(0); ids.length > 0; ids = await next(ids.at(-1) ?? 0)) {
    const batch = ids
    await inTransaction(db, (tx) => write(tx, batch))
    count += ids.length
  }
  return count
}

/** Counts while nobody adds or removes, so that no change is missed. */
async function recount(tx: Tx, companyId: number): Promise<void> {
  for (const resource of [THEME_SETTINGS, USERS, PRODUCTS, CATEGORIES] as const) {
    await resetCounter(tx, companyId, resource)
  }
}
