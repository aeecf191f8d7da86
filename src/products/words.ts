import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { ProductState } from './state.ts'

/** The words by which shops find products. They are kept apart from the products, because a search looks at many. */

const save = prepare((tx: Tx, companyId: number, keys: number[]) =>
  sql`insert into product_words (company_id, product_key, is_shown, title_words, text_words)
    select product.company_id, product.id, product.published and product.valid,
      words_of_product(product.company_id, product.title, product.locales, null),
      words_of_product(product.company_id, product.title, product.locales, 'description')
    from products as product where product.company_id = ${companyId} and product.id = any(${keys}::bigint[])
    on conflict (company_id, product_key) do update set is_shown = excluded.is_shown,
      title_words = excluded.title_words, text_words = excluded.text_words`.compile(tx),
)

/** Stores the words of products whose rows have just been written. */
export async function saveWords(tx: Tx, companyId: number, keys: readonly number[]): Promise<void> {
  if (keys.length > 0) await save(tx, companyId, [...keys])
}

/** Is a product found by other words now, or shown instead of hidden? */
export function isFoundOtherwise(before: ProductState | undefined, after: ProductState): boolean {
  const isShown = ({ published, valid }: ProductState) => published && valid
  return (
    before === undefined ||
    before.title !== after.title ||
    before.locales !== after.locales ||
    isShown(before) !== isShown(after)
  )
}
