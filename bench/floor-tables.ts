import type pg from 'pg'
import { OWN_ADDRESS, OWN_HOST, ownHost } from '#platform/wire/own-address.ts'
import type { Asked } from './cases.ts'
import { BUYERS } from './order-cases.ts'

/** Documents of one batch of the full list, as many as the service sends at once. */
const BATCH = 100

/** The text is stored uncompressed, so that reading it is only a copy. */
const TABLES = `
  create schema floor;
  create table floor.answers (path text primary key, body text not null) with (toast_tuple_target = 8160);
  alter table floor.answers alter body set storage external;
  create table floor.batches (nth int primary key, body text not null);
  alter table floor.batches alter body set storage external`

/**
 * Stores every response of the reading cases ready-made; joining documents page by page is slower by a third (see
 * README).
 */
export async function fillFloor(
  client: pg.Client,
  { companyId, address }: { companyId: number; address: string },
  reads: Asked[],
  fetchBody: (asked: Asked) => Promise<string>,
): Promise<void> {
  await client.query(TABLES)
  // The service writes its own address into a document when it sends it.
  const names = [companyId, address, ownHost(address)]
  const sent = (document: string) => `replace(replace(${document}, '${OWN_ADDRESS}', $2), '${OWN_HOST}', $3)`
  await client.query(
    `insert into floor.answers
     select '/api/products/' || id || '.json', '{"product":' || ${sent('document')} || '}'
     from products where company_id = $1`,
    names,
  )
  await client.query(
    `insert into floor.answers
     select '/api/orders/' || orders.id || '.json', '{"order":' || ${sent('left(orders.document, -1)')} || ',"customer":'
       || ${sent('coalesce(relation.document, orders.buyer)')} || '}}'
     from orders left join customer_relations as relation
       on relation.company_id = orders.company_id and relation.customer_id = orders.customer_id
     where orders.company_id = $1`,
    names,
  )
  await client.query(
    `insert into floor.batches
     select nth, case when nth = 0 then '{"products":[' else ',' end
       || string_agg(${sent('document')}, ',' order by id)
       || case when nth = max(nth) over () then ']}' else '' end
     from (select id, document, ((row_number() over (order by id) - 1) / ${BATCH})::int as nth from products
       where company_id = $1) as numbered group by nth`,
    names,
  )
  for (const asked of reads) {
    await client.query('insert into floor.answers values ($1, $2) on conflict do nothing', [
      asked.path,
      await fetchBody(asked),
    ])
  }
}

/** The rows that the floor's creates copy. */
export type Samples = { productKey: number; orderId: number }

/** Creates a company for the floor, with its customers and the rows that its creates copy. */
export async function prepareFloorWrites(client: pg.Client, { productKey, orderId }: Samples): Promise<number> {
  const { rows } = await client.query<{ id: string }>(
    `insert into companies (company_name, email, created_at, updated_at)
     values ('Floor', 'floor@licet.example', now(), now()) returning id`,
  )
  const companyId = Number(rows[0]?.id)
  await client.query(
    `insert into customer_relations
       (company_id, customer_id, first_name, last_name, addresses, note, orders_count, total_spent, last_order_id,
         last_order_name, created_at, updated_at, document)
     select $1, customer_id, first_name, last_name, addresses, note, orders_count, total_spent, last_order_id,
       last_order_name, created_at, updated_at, document
     from customer_relations where company_id <> $1 order by customer_id limit ${BUYERS}`,
    [companyId],
  )
  // PostgreSQL fills generated columns itself, and the first word of a product is its company.
  await client.query(
    `create table floor.templates as select
       json_build_object(
         'product', (select row_to_json(products)::jsonb - array(select attname::text from pg_attribute
             where attrelid = 'products'::regclass and attgenerated <> '')
           from products where id = ${productKey}),
         'words', (select to_jsonb(words) || jsonb_build_object(
             'title_words', replace(title_words::text, '@' || company_id, '@${companyId}'),
             'text_words', replace(text_words::text, '@' || company_id, '@${companyId}'))
           from product_words as words where product_key = ${productKey}))::text as product,
       json_build_object(
         'order', (select row_to_json(orders) from orders where id = ${orderId}),
         'lines', (select json_agg(line order by position) from order_lines as line where order_id = ${orderId}),
         'customers', (select json_agg(json_build_object('id', customers.id, 'token', token, 'email', email,
             'document', relation.document::json))
           from customers join customer_relations as relation on relation.customer_id = customers.id
           where relation.company_id = ${companyId}))::text as ordered`,
  )
  return companyId
}
