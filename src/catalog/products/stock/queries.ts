import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { StockChange } from './rules.ts'

/** A managed stock, with the levels that its owner has set. */
export type StockRow = {
  company_id: number
  id: number
  product_id: string
  title: string
  /** As it is stored, with the stock in it. */
  document: string
  stock: number
  /** Selling stops at this level. */
  floor: number
  /** 0 if the owner does not want to be warned. */
  warn_below: number
}

const lockRows = prepare((tx: Tx, companies: number[], keys: number[]) =>
  sql<
    Columns<'products', 'company_id' | 'id' | 'product_id' | 'title' | 'document'> &
      Pick<StockRow, 'stock' | 'floor' | 'warn_below'>
  >`select product.company_id, product.id, product.product_id, product.title, product.document,
      product.items_in_stock as stock,
      case when owner.inventory_management_active then greatest(0, owner.stop_selling_at_stock_level_below)
        else 0 end as floor,
      case when owner.inventory_management_active then greatest(0, owner.warn_at_stock_level_below)
        else 0 end as warn_below
    from products as product
    join companies as owner on owner.id = product.company_id
    where (product.company_id, product.id) in (
        select * from unnest(${companies}::bigint[], ${keys}::bigint[]) as wanted (company_id, id))
      and product.manage_stock and product.items_in_stock is not null
    order by product.company_id, product.id
    for no key update of product`.compile(tx),
)

/**
 * Locks the stock of products until the transaction ends, in one order, so that two sales cannot deadlock. Products without
 * managed stock are left out. The levels apply only if the owner uses inventory management.
 */
export function lockStock(tx: Tx, changes: readonly StockChange[]): Promise<StockRow[]> {
  const companies = changes.map(({ company_id }) => company_id)
  const keys = changes.map(({ id }) => id)
  return lockRows(tx, companies, keys)
}
