import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import { wordsOfTitle } from '../search/terms.rules.ts'
import type { ForSale } from './state.ts'

/** In one order for everybody, so that no two sales wait for each other. */
const insertTitles = prepareWrite('insert', 'sold_titles', (tx: Tx, companyId: number, titles: string) =>
  sql`insert into sold_titles (company_id, product_id, title, words)
    select ${companyId}::bigint, sold.product_id, sold.title, array_to_tsvector(sold.words)
    from json_to_recordset(${titles}::json) as sold (product_id text, title text, words text[])
    order by sold.product_id, sold.title
    on conflict do nothing`.compile(tx),
)

/** Remembers the titles under which products are sold: orders are found by them. */
export async function saveTitles(
  tx: Tx,
  companyId: number,
  products: readonly Pick<ForSale, 'product_id' | 'title'>[],
): Promise<void> {
  const titles = new Map(
    products.map(({ product_id, title }) => [
      `${product_id} ${title}`,
      { product_id, title, words: wordsOfTitle(companyId, title) },
    ]),
  )
  if (titles.size > 0) await insertTitles(tx, companyId, JSON.stringify([...titles.values()]))
}

/** Remembers only those that were not sold under their title before, as nearly all were. */
export function saveNewTitles(tx: Tx, companyId: number, products: readonly ForSale[]): Promise<void> {
  return saveTitles(
    tx,
    companyId,
    products.filter(({ is_title_known }) => !is_title_known),
  )
}
