import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import type { ProductState } from '../state.ts'
import { PRICE_STEPS } from './facets.rules.ts'
import { isShown, wordsOf } from './terms.rules.ts'

/**
 * The words by which shops find products, and what lists are filtered and sorted by. They are kept apart from the products, because a search looks at many. Words are
 * split here and not in the database, which takes half a millisecond for a description.
 */

/**
 * The lowest price of a product in cents of a euro. Prices of single countries are left out: a list is sorted for everybody
 * in the same way.
 */
const lowestPrice = sql`(
  select min(round((amount.price ->> 'cents')::numeric / case amount.price ->> 'currency' when 'EUR' then 1 else rate.rate_to_eur end))
  from prices as price
  cross join lateral (select coalesce((select entry from json_array_elements(price.currencies) as entry
    where entry ->> 'currency' = 'EUR' limit 1), price.currencies -> 0) as price) as amount
  left join currency_rates as rate on rate.currency = amount.price ->> 'currency'
  where price.company_id = product.owner_id and price.id = any(product.price_ids) and price.valid = 1)`

const steps = sql.lit(`{${PRICE_STEPS.join()}}`)

const insertWords = prepareWrite('upsert', 'product_words', (tx: Tx, companyId: number, products: string) =>
  sql`insert into product_words (company_id, product_key, is_shown, title_words, text_words, kind, year, price_cents,
      sort_title, genres, genre_names, languages, formats)
    select ${companyId}::bigint, product.id, product.is_shown, array_to_tsvector(product.titles || priced.marks),
      array_to_tsvector(product.texts || priced.marks), product.kind, product.year, priced.cents, product.sort_title,
      product.genres, product.genre_names, product.languages, product.formats
    from json_to_recordset(${products}::json) as product (id bigint, is_shown boolean, titles text[], texts text[], owner_id bigint,
      price_ids bigint[], kind text, year integer, sort_title text, genres text[], genre_names text[], languages text[],
      formats text[])
    cross join lateral (select lowest.cents, case when lowest.cents is null then '{}'::text[]
        else array['@p' || width_bucket(lowest.cents, ${steps}::bigint[])] end as marks
      from (select ${lowestPrice}::bigint as cents offset 0) as lowest) as priced
    on conflict (company_id, product_key) do update set is_shown = excluded.is_shown,
      title_words = excluded.title_words, text_words = excluded.text_words, kind = excluded.kind, year = excluded.year,
      price_cents = excluded.price_cents, sort_title = excluded.sort_title, genres = excluded.genres,
      genre_names = excluded.genre_names, languages = excluded.languages, formats = excluded.formats`.compile(tx),
)

/** Stores the words and facets of products whose rows have just been written, or are written by the same statement. */
export async function saveWords(tx: Tx, companyId: number, products: readonly ProductState[]): Promise<void> {
  if (products.length === 0) return
  const found = products.map((product) => {
    const { facets, titles, texts } = wordsOf(product)
    const price_ids = product.bindings.flatMap(({ price_id }) => price_id ?? [])
    // A mirrored product is sold for the prices of its owner.
    const owner_id = product.original?.company_id ?? companyId
    return { id: product.id, is_shown: isShown(product), titles, texts, owner_id, price_ids, ...facets }
  })
  await insertWords(tx, companyId, JSON.stringify(found))
}
