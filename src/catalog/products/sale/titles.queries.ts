import { type RawBuilder, sql } from 'kysely'
import { condition } from '#platform/db/expressions.ts'

/** Was a product sold under its present title before? With `exists`, PostgreSQL would think of reading all titles, and plan each time. */
export const isTitleKnown = condition`coalesce((select true from sold_titles as sold where sold.company_id = products.company_id
  and sold.product_id = products.product_id and sold.title = products.title), false)`

/** The `product_id` of everything that was sold under a title with the words of a query. */
export function productsTitled(companyId: number, query: string): RawBuilder<unknown> {
  return sql`select sold.product_id from sold_titles as sold
    where sold.company_id = ${companyId} and sold.words @@ ${query}::text::tsquery`
}
