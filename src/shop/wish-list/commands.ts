import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { WISHES_MAX } from './queries.ts'

type Wish = { companyId: number; customerId: number; productKey: number }

/** Saves a product of the company for later. The oldest wishes go if there are too many. */
export async function addWish(tx: Tx, { companyId, customerId, productKey }: Wish, now: Date): Promise<void> {
  await sql`insert into wishes (company_id, customer_id, product_key, created_at)
    select products.company_id, ${customerId}, products.id, ${now} from products
    where products.company_id = ${companyId} and products.id = ${productKey}
    on conflict (company_id, customer_id, product_key) do update set created_at = excluded.created_at`.execute(tx)
  await sql`delete from wishes where company_id = ${companyId} and customer_id = ${customerId} and product_key in (
    select product_key from wishes where company_id = ${companyId} and customer_id = ${customerId}
    order by created_at desc, product_key desc offset ${WISHES_MAX})`.execute(tx)
}

export async function removeWish(tx: Tx, { companyId, customerId, productKey }: Wish): Promise<void> {
  await tx
    .deleteFrom('wishes')
    .where('company_id', '=', companyId)
    .where('customer_id', '=', customerId)
    .where('product_key', '=', productKey)
    .execute()
}
