import { sql } from 'kysely'
import { deleteApps, endApps } from '#apps/oauth/end.commands.ts'
import { followChanges } from '#catalog/marketplace/mirrors/commands.ts'
import { deleteProducts } from '#catalog/products/commands.ts'
import { readProductKeys } from '#catalog/products/queries.ts'
import { deleteGrantsBy, revokeGrantsBy } from '#identity/grants/end.commands.ts'
import { deleteRelations } from '#people/customers/commands.ts'
import { deleteRowsOf } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import type { DB } from '#platform/db/types.gen.ts'
import { deleteUnneededOf } from '#rights/content-files/commands.ts'
import { ACCESS, BOOKS, BUSINESS, CATALOG, PEOPLE, TRACES } from './tables.facts.ts'

/** Where the work of the service itself comes from, for the record. */
export const SERVICE = { address: 'service', requestId: '' }

/** A piece of work in a transaction of its own; returns how much it did, and 0 if there was nothing to do. */
export type Step = (tx: Tx, companyId: number, now: Date) => Promise<number>

const PRODUCTS_AT_ONCE = 50

const rowsOf =
  (table: keyof DB): Step =>
  (tx, companyId) =>
    deleteRowsOf(tx, table, companyId)

/** A batch of products, each as if its owner deleted it: companies that sell it are told. */
async function someProducts(tx: Tx, companyId: number, now: Date): Promise<number> {
  const keys = await readProductKeys(tx, companyId, 0, PRODUCTS_AT_ONCE)
  await deleteProducts(tx, companyId, keys, now)
  return keys.length
}

/** A category is deleted after those below it. */
const someCategories: Step = (tx, companyId) =>
  deleteRowsOf(
    tx,
    'categories',
    companyId,
    sql`not exists (select from categories as child
      where child.company_id = categories.company_id and child.parent_id = categories.id)`,
  )

/** Customers of other companies keep the keys that they have got. */
const someKeys: Step = (tx, companyId) =>
  deleteRowsOf(tx, 'software_keys', companyId, sql`coalesce(entitlement_company_id, company_id) = company_id`)

/** Each half has an index. */
const someEvents: Step = async (tx, companyId) =>
  (await deleteRowsOf(tx, 'events', companyId, sql`position is null`)) ||
  deleteRowsOf(tx, 'events', companyId, sql`position is not null`)

/** Everything but the books, in this order. Each can be repeated: what is gone is not found again. */
export const STEPS: readonly Step[] = [
  ...ACCESS.map(rowsOf),
  (tx, companyId, now) => endApps(tx, companyId, { userId: null, origin: SERVICE }, now),
  (tx, companyId, now) => revokeGrantsBy(tx, companyId, { userId: null, origin: SERVICE }, now),
  deleteGrantsBy,
  ...PEOPLE.map(rowsOf),
  ...BUSINESS.map(rowsOf),
  someProducts,
  followChanges,
  ...CATALOG.map(rowsOf),
  someCategories,
  someKeys,
  async (tx, companyId, now) => {
    await deleteUnneededOf(tx, companyId, now)
    return 0
  },
  deleteRelations,
  deleteApps,
  ...TRACES.map(rowsOf),
  someEvents,
]

export const LAST_STEPS: readonly Step[] = BOOKS.map(rowsOf)
