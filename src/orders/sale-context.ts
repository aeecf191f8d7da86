import { sql } from 'kysely'
import { companyNotFound } from '#companies/errors.ts'
import type { Seller } from '#companies/state.ts'
import type { Tx } from '#platform/db/database.ts'
import { handOut, type TakenIds } from '#platform/db/ids.ts'
import { prepare } from '#platform/db/prepared.ts'

/** Who sells, in which shop, and the ids that the order takes. */
export type Counter = { seller: Seller; shopId: number | undefined; orderId: number; takeId: TakenIds['takePartId'] }

type Row = Seller & { shop_id: number | null; order_id: number; part_ids: number[] }

const readContext = prepare((tx: Tx, companyId: number, shopId: number, parts: number) =>
  sql<Row>`select id, country_code, currency, tax_options, api_active, company_disabled,
      (select shop.id from theme_settings as shop where shop.company_id = companies.id
        and (${shopId}::bigint = 0 or shop.id = ${shopId}::bigint) order by shop.id limit 1) as shop_id,
      nextval('orders_id_seq') as order_id,
      array(select nextval('part_ids')::float8 from generate_series(1, (select ${parts}::int))) as part_ids
    from companies where id = ${companyId}`.compile(tx),
)

/** What every order needs, whatever is bought, in one statement: each one more would cost a tenth of the whole. */
export async function openCounter(tx: Tx, companyId: number, shopId: number, parts: number): Promise<Counter> {
  const [row] = await readContext(tx, companyId, shopId, parts)
  if (row === undefined) throw companyNotFound(String(companyId))
  const { shop_id, order_id, part_ids, ...seller } = row
  return { seller, shopId: shop_id ?? undefined, orderId: order_id, takeId: handOut(part_ids) }
}
