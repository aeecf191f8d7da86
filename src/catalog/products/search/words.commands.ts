import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import type { ProductState } from '../state.ts'
import { isShown, wordsOf } from './terms.rules.ts'

/**
 * The words by which shops find products. They are kept apart from the products, because a search looks at many. Words are
 * split here and not in the database, which takes half a millisecond for a description.
 */

const insertWords = prepareWrite(
  'upsert',
  'product_words',
  (tx: Tx, companyId: number, keys: number[], shown: string[], titles: string[], texts: string[]) =>
    sql`insert into product_words (company_id, product_key, is_shown, title_words, text_words)
      select ${companyId}::bigint, product_key, is_shown, array_to_tsvector(string_to_array(titles, ' ')),
        array_to_tsvector(string_to_array(texts, ' '))
      from unnest(${keys}::bigint[], ${shown}::boolean[], ${titles}::text[], ${texts}::text[])
        as product (product_key, is_shown, titles, texts)
      on conflict (company_id, product_key) do update set is_shown = excluded.is_shown,
        title_words = excluded.title_words, text_words = excluded.text_words`.compile(tx),
)

/** Stores the words of products whose rows have just been written, or are written by the same statement. */
export async function saveWords(tx: Tx, companyId: number, products: readonly ProductState[]): Promise<void> {
  if (products.length === 0) return
  const words = products.map(wordsOf)
  await insertWords(
    tx,
    companyId,
    products.map(({ id }) => id),
    products.map((product) => String(isShown(product))),
    words.map(({ titles }) => titles.join(' ')),
    words.map(({ texts }) => texts.join(' ')),
  )
}
