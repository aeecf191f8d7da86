import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { productsOf } from '../queries.ts'
import type { Showable } from './rules.ts'

/**
 * What decides whether products appear, in one statement; those that are not there are left out. A mirrored product is
 * sold under the licenses and for the prices of its owner. What a binding names and is not there is not valid.
 */
export async function readShowables(db: Db, companyId: number, keys: number[]): Promise<Map<number, Showable>> {
  const rows = await productsOf(db, companyId)
    .select([
      'products.id',
      'products.product_type',
      'products.published',
      'products.valid',
      'products.published_at',
      'products.pre_sales',
      bindings.as('bindings'),
      themes.as('themes'),
      groups.as('groups'),
      categories.as('categories'),
    ])
    .where('products.id', '=', sql<number>`any(${keys}::bigint[])`)
    .execute()
  return new Map(rows.map(({ id, groups, ...product }) => [id, { ...product, groups: groups.map(withTimes) }]))
}

type Bound = { start_at: string | null; end_at: string | null }

/** Times inside JSON come as text. */
function withTimes({ start_at, end_at }: Bound): Showable['groups'][number] {
  const time = (text: string | null) => (text === null ? null : new Date(text))
  return { start_at: time(start_at), end_at: time(end_at) }
}

const term = (id: string, table: string) =>
  sql.raw(`case when ${id} is not null then json_build_object('valid', coalesce(${table}.valid = 1, false)) end`)

const bindings = sql<Showable['bindings'][number][]>`coalesce((
  select json_agg(json_build_object('license', ${term('binding.license_id', 'license')},
    'price', ${term('binding.price_id', 'price')}))
  from product_bindings as binding
  left join product_mirrors as mirror
    on mirror.company_id = binding.company_id and mirror.product_key = binding.product_key
  left join licenses as license
    on license.id = binding.license_id and license.company_id in (0, coalesce(mirror.owner_id, binding.company_id))
  left join prices as price
    on price.id = binding.price_id and price.company_id = coalesce(mirror.owner_id, binding.company_id)
  where binding.company_id = products.company_id and binding.product_key = products.id), '[]')`

const themes = sql<{ theme_id: number }[]>`coalesce((
  select json_agg(json_build_object('theme_id', theme_id)) from product_themes as theme
  where theme.company_id = products.company_id and theme.product_key = products.id), '[]')`

const groups = sql<Bound[]>`coalesce((
  select json_agg(json_build_object('start_at', start_at, 'end_at', end_at)) from product_groups as bound
  where bound.company_id = products.company_id and bound.product_key = products.id), '[]')`

const categories = sql<{ enabled: boolean }[]>`coalesce((
  select json_agg(json_build_object('enabled', category.enabled)) from category_entries as entry
  join categories as category on category.company_id = entry.company_id and category.id = entry.category_id
  where entry.company_id = products.company_id and entry.product_key = products.id), '[]')`
