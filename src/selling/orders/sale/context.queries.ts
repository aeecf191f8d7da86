import { sql } from 'kysely'
import { readForSale } from '#catalog/products/sale/queries.ts'
import { mayBeShipped } from '#catalog/products/sale/rules.ts'
import { companyNotFound } from '#identity/companies/errors.ts'
import type { Seller } from '#identity/companies/state.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { handOut } from '#platform/db/ids.ts'
import { prepare } from '#platform/db/prepared.ts'
import { lockDiscountCodes, readDiscountCodes } from '#selling/discount-codes/queries.ts'
import { readShippingMethods } from '#selling/shipping-methods/queries.ts'
import type { OwnRates } from '#selling/taxes/rules.ts'
import type { OrderInput } from '../schema.ts'
import type { SaleContext } from '../state.ts'
import { NO_RENTALS } from './credits.rules.ts'

/**
 * Reads everything that a sale depends on, in one round trip unless goods are shipped, and locks the discount codes. What is not
 * in the catalog is not looked for there.
 */
export async function readSaleContext(
  tx: Tx,
  companyId: number,
  input: OrderInput,
  now: Date,
  isInCatalog = true,
): Promise<SaleContext> {
  const codes = (input.discount_codes ?? []).map(({ code }) => code)
  const refs = new Set(input.line_items.map(({ product_id }) => product_id.trim()))
  const [seller, products, known] = await Promise.all([
    readSeller(tx, companyId, input.theme_setting_id ?? 0, partsOf(input)),
    isInCatalog ? readForSale(tx, companyId, [...refs], now) : NO_PRODUCTS,
    lockDiscountCodes(tx, companyId, codes),
  ])
  const methods = [...products.values()].some(mayBeShipped) ? await readShippingMethods(tx, companyId) : []
  return { ...seller, products, codes: known, methods, rentals: NO_RENTALS }
}

const NO_PRODUCTS: SaleContext['products'] = new Map()

/** The same for a question about the price: nothing is locked, and no id is taken. */
export async function readQuoteContext(db: Db, companyId: number, input: OrderInput, now: Date): Promise<SaleContext> {
  const refs = new Set(input.line_items.map(({ product_id }) => product_id.trim()))
  const [[row], products, codes] = await Promise.all([
    findQuoter(db, companyId, input.theme_setting_id ?? 0),
    readForSale(db, companyId, [...refs], now),
    readDiscountCodes(
      db,
      companyId,
      (input.discount_codes ?? []).map(({ code }) => code),
    ),
  ])
  if (row === undefined) throw companyNotFound(String(companyId))
  const { own_rates: ownRates, shop_id, utc_offset: utcOffset, ...seller } = row
  const methods = [...products.values()].some(mayBeShipped) ? await readShippingMethods(db, companyId) : []
  const shop = { seller, ownRates, shopId: shop_id ?? undefined, utcOffset }
  return { ...shop, orderId: 0, takeId: () => 0, products, codes, methods, rentals: NO_RENTALS }
}

/** Lines, addresses of the customer, and the shipping address have ids. */
function partsOf({ line_items, customer }: OrderInput): number {
  return line_items.length + (customer?.addresses?.length ?? 0) + 1
}

type ShopRow = Seller & { own_rates: OwnRates; shop_id: number | null; utc_offset: number }
type Row = ShopRow & { order_id: number; part_ids: number[] }

const shopColumns = (shopId: number) =>
  sql`id, country_code, currency, tax_options, api_active, shop_active, company_disabled, deletion_due_at, sandbox,
    (select coalesce(json_object_agg(tax.country_code || ' ' || tax.tax_class, tax.rate), '{}') from tax_rates as tax
      where tax.company_id = companies.id) as own_rates,
    (select shop.id from theme_settings as shop where shop.company_id = companies.id
      and (${shopId}::bigint = 0 or shop.id = ${shopId}::bigint) order by shop.id limit 1) as shop_id,
    coalesce((select time_zone from users where users.company_id = companies.id order by users.id limit 1), 0)
      as utc_offset`

const findQuoter = prepare((db: Db, companyId: number, shopId: number) =>
  sql<ShopRow>`select ${shopColumns(shopId)} from companies where id = ${companyId}`.compile(db),
)

const findSeller = prepare((tx: Tx, companyId: number, shopId: number, parts: number) =>
  sql<Row>`select ${shopColumns(shopId)},
      nextval('orders_id_seq') as order_id,
      array(select nextval('part_ids')::float8 from generate_series(1, (select ${parts}::int))) as part_ids
    from companies where id = ${companyId}`.compile(tx),
)

/** The seller, its tax rates, its shop and the ids of the order: one statement, because each statement adds a tenth to the cost. */
async function readSeller(
  tx: Tx,
  companyId: number,
  shopId: number,
  parts: number,
): Promise<Pick<SaleContext, 'seller' | 'ownRates' | 'shopId' | 'utcOffset' | 'orderId' | 'takeId'>> {
  const [row] = await findSeller(tx, companyId, shopId, parts)
  if (row === undefined) throw companyNotFound(String(companyId))
  const { own_rates, shop_id, utc_offset: utcOffset, order_id, part_ids, ...seller } = row
  const shop = { seller, ownRates: own_rates, shopId: shop_id ?? undefined, utcOffset }
  return { ...shop, orderId: order_id, takeId: handOut(part_ids) }
}
