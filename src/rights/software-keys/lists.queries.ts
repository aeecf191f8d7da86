import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { condition, type Row } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { keysOf, listsOf } from './queries.ts'
import type { ListedKey } from './schema.ts'
import type { KeyStockState, ListedKeyState } from './state.ts'

type Given = Optional<{ state: ListedKey['state'] }>

const FILTERS: Filters<ReturnType<typeof keysOf>, Given> = {
  state: (keys, state) =>
    keys.where(
      condition`case when software_keys.given_at is null then 'left' when software_keys.ended_at is null then 'given'
        else 'replaced' end = ${state}::text`,
    ),
}

/** What customers of other companies own is their business: a key says only that somebody has it. */
const isOwnCustomer = condition`software_keys.entitlement_company_id = software_keys.company_id`

const listedKeys = prepareList((db: Db, { company, product, state }: Given & { company: number; product: number }) =>
  narrow(keysOf(db, company).where('software_keys.product_key', '=', product), FILTERS, { state }).select([
    'software_keys.id',
    'software_keys.key',
    'software_keys.imported',
    'software_keys.given_at',
    'software_keys.ended_at',
    'software_keys.created_at',
    sql<Row<'software_keys'>['entitlement_id']>`case when ${isOwnCustomer} then software_keys.entitlement_id end`.as(
      'entitlement_id',
    ),
    sql<
      Row<'entitlements'>['customer_token'] | null
    >`(select entitlement.customer_token from entitlements as entitlement
      where ${isOwnCustomer} and entitlement.company_id = software_keys.entitlement_company_id
        and entitlement.id = software_keys.entitlement_id)`.as('customer_token'),
  ]),
)

/** The keys of a product: imported and generated ones. */
export function listKeys(
  db: Db,
  companyId: number,
  productKey: number,
  state: ListedKey['state'] | undefined,
): RowList<ListedKeyState> {
  return listedKeys(db, { company: companyId, product: productKey, state })
}

const listedStocks = prepareList((db: Db, { company }: { company: number }) => {
  const stocks = listsOf(db, company)
    .innerJoin('products', (join) =>
      join
        .onRef('products.company_id', '=', 'software_key_lists.company_id')
        .onRef('products.id', '=', 'software_key_lists.product_key'),
    )
    .select([
      'products.id',
      'products.product_id',
      'products.title',
      sql<number>`(select count(*) from software_key_waits as wait where wait.company_id = software_key_lists.company_id
        and wait.product_key = software_key_lists.product_key)`.as('waiting'),
    ])
  return db.selectFrom(stocks.as('stocks')).selectAll()
})

/** How many keys each product has for which keys were imported. */
export function listStocks(db: Db, companyId: number): RowList<KeyStockState> {
  return listedStocks(db, { company: companyId })
}
