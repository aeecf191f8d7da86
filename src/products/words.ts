import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import { wordsIn } from '#platform/tokenize.ts'
import type { ProductState } from './state.ts'

/**
 * The words by which shops find products. They are kept apart from the products, because a search looks at many. Words are
 * split here and not in the database, which takes half a millisecond for a description.
 */

const insertWords = prepareWrite(
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

/**
 * `@1000` stands for the company: without it, an index would return the products of all companies. The words of the texts
 * contain those of the titles, so that a search by the index of texts finds titles too.
 */
export function wordsOf({ company_id, title, locales }: Pick<ProductState, 'company_id' | 'title' | 'locales'>) {
  const titles = new Set([
    companyWord(company_id),
    ...wordsIn([title, ...locales.map((locale) => locale.title)].join(' ')),
  ])
  const texts = new Set([...titles, ...wordsIn(locales.map(({ description }) => description).join(' '))])
  return { titles: [...titles], texts: [...texts] }
}

function companyWord(companyId: number): string {
  return `@${companyId}`
}

/**
 * What finds the products of a company that have all the words of a search, for PostgreSQL; undefined if there are no words.
 * The last word may be a part of one.
 */
export function queryFor(companyId: number, search: string): string | undefined {
  const words = wordsIn(search)
  if (words.length === 0) return undefined
  return `${[companyWord(companyId), ...words].map((word) => `'${word}'`).join(' & ')}:*`
}

const isShown = ({ published, valid }: ProductState) => published && valid

/** Is a product found by other words now, or shown instead of hidden? */
export function isFoundOtherwise(before: ProductState | undefined, after: ProductState): boolean {
  return (
    before === undefined ||
    before.title !== after.title ||
    before.locales !== after.locales ||
    isShown(before) !== isShown(after)
  )
}
