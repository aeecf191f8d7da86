import { saveCategory } from '#categories/commands.ts'
import { CATEGORIES, lockHierarchy, readCategories, readCategoryKeys } from '#categories/queries.ts'
import { refreshCompany } from '#companies/commands.ts'
import { readCompanyIds } from '#companies/queries.ts'
import { refreshRates } from '#currency-rates/commands.ts'
import { CUSTOMERS, readCustomerIds } from '#customers/queries.ts'
import { refreshCustomers } from '#customers/relations.ts'
import { refreshLedgerEntries } from '#ledger/commands.ts'
import { readLedgerEntryIds } from '#ledger/queries.ts'
import { saveLicense } from '#licenses/commands.ts'
import { LICENSES, lockLicenses, readLicenseIds } from '#licenses/queries.ts'
import { GENERAL } from '#licenses/rules.ts'
import { followChanges } from '#marketplace/mirrors/commands.ts'
import { readWaitingChanges } from '#marketplace/mirrors/queries.ts'
import { resetCounts } from '#orders/counts/commands.ts'
import { resetFulfillmentCount, rewriteFulfillments } from '#orders/fulfillments/commands.ts'
import { lockOrders, readOrderIds } from '#orders/queries.ts'
import { saveOrder } from '#orders/rows.ts'
import { nowInSeconds, systemClock } from '#platform/clock.ts'
import { resetCounter } from '#platform/db/counters.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { savePrice } from '#prices/commands.ts'
import { lockPrices, PRICES, readPriceIds } from '#prices/queries.ts'
import { writeDocuments } from '#products/commands.ts'
import { lockProducts, PRODUCTS, readProductKeys } from '#products/queries.ts'
import { refreshThemeSettings } from '#theme-settings/commands.ts'
import { readThemeSettingIds, THEME_SETTINGS } from '#theme-settings/queries.ts'
import { refreshUser } from '#users/commands.ts'
import { readUserIds, USERS } from '#users/queries.ts'

const BATCH = 500

/** How many documents of each resource were written. */
export type Rebuilt = {
  companies: number
  theme_settings: number
  users: number
  products: number
  categories: number
  licenses: number
  prices: number
  customers: number
  orders: number
  fulfillments: number
  ledger_entries: number
}

/** Writes every stored document anew, after a change of what a presenter shows, and sets the counters right. */
export async function rebuild(db: Db): Promise<Rebuilt> {
  await inTransaction(db, refreshRates)
  await followAll(db)
  const done: Rebuilt = {
    companies: 0,
    theme_settings: 0,
    users: 0,
    products: 0,
    categories: 0,
    licenses: await rebuildLicenses(db, GENERAL),
    prices: 0,
    customers: 0,
    orders: 0,
    fulfillments: 0,
    ledger_entries: 0,
  }
  for (const companyId of await readCompanyIds(db)) {
    await inTransaction(db, (tx) => refreshCompany(tx, companyId))
    done.companies += 1
    done.theme_settings += await walk(
      db,
      (after) => readThemeSettingIds(db, companyId, after, BATCH),
      (tx, ids) => refreshThemeSettings(tx, companyId, ids),
    )
    done.users += await walk(
      db,
      (after) => readUserIds(db, companyId, after, BATCH),
      async (tx, ids) => {
        for (const id of ids) await refreshUser(tx, companyId, id)
      },
    )
    done.products += await walk(
      db,
      (after) => readProductKeys(db, companyId, after, BATCH),
      async (tx, keys) => writeDocuments(tx, companyId, await lockProducts(tx, companyId, keys)),
    )
    done.categories += await walk(
      db,
      (after) => readCategoryKeys(db, companyId, after, BATCH),
      async (tx, ids) => {
        await lockHierarchy(tx, companyId)
        for (const category of await readCategories(tx, companyId, ids)) await saveCategory(tx, category)
      },
    )
    done.licenses += await rebuildLicenses(db, companyId)
    done.prices += await walk(
      db,
      (after) => readPriceIds(db, companyId, after, BATCH),
      async (tx, ids) => {
        for (const price of await lockPrices(tx, companyId, ids)) await savePrice(tx, price)
      },
    )
    done.customers += await walk(
      db,
      (after) => readCustomerIds(db, companyId, after, BATCH),
      (tx, ids) => refreshCustomers(tx, companyId, ids),
    )
    done.orders += await walk(
      db,
      (after) => readOrderIds(db, companyId, after, BATCH),
      async (tx, ids) => {
        const orders = await lockOrders(tx, companyId, ids)
        for (const order of orders) await saveOrder(tx, order)
        done.fulfillments += await rewriteFulfillments(tx, companyId, orders)
      },
    )
    done.ledger_entries += await walk(
      db,
      (after) => readLedgerEntryIds(db, companyId, after, BATCH),
      (tx, ids) => refreshLedgerEntries(tx, companyId, ids),
    )
    await inTransaction(db, (tx) => recount(tx, companyId))
  }
  return done
}

/** Lets mirrored products follow what a job that was given up has left behind. */
async function followAll(db: Db): Promise<void> {
  for (const ownerId of (await readWaitingChanges(db)).keys())
    while ((await inTransaction(db, (tx) => followChanges(tx, ownerId, nowInSeconds(systemClock)))) > 0);
}

function rebuildLicenses(db: Db, companyId: number): Promise<number> {
  return walk(
    db,
    (after) => readLicenseIds(db, companyId, after, BATCH),
    async (tx, ids) => {
      for (const license of await lockLicenses(tx, companyId, ids)) await saveLicense(tx, license)
    },
  )
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
  for (const resource of [THEME_SETTINGS, USERS, PRODUCTS, CATEGORIES, LICENSES, PRICES, CUSTOMERS] as const) {
    await resetCounter(tx, companyId, resource)
  }
  await resetCounts(tx, companyId)
  await resetFulfillmentCount(tx, companyId)
}
