import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { condition } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import type { DB } from '#platform/db/types.gen.ts'
import { searchInvalid } from '#platform/errors/faults.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { readTime } from '#platform/wire/times.ts'
import { PRODUCT_ID } from '../rules.ts'
import type { ProductFilters } from '../schema.ts'

export type CountFilters = ProductFilters & { since_id?: number | undefined }

type Rows = SelectQueryBuilder<DB, 'products', object>

/**
 * Has a product what a customer needs to buy it? These words are those of two indexes. Whether it is released, and whether
 * each of its prices and licenses is still valid, depends on more than its row: `appearance.queries.ts` decides that.
 */
export const isBuyable = condition`(products.published and products.priced and products.valid
  and (products.has_content or products.pre_sales))`
/** It is shown, and nobody can buy it. */
export const isNotBuyable = condition`(products.published and not (products.priced and products.valid
  and (products.has_content or products.pre_sales)))`

/**
 * Has a product fewer pieces than its company wants to be warned at? No product of a company without inventory management.
 * The few are found first, in their index: PostgreSQL cannot know the level when it plans, and would look through all products
 * in the order of the list.
 */
export const isLowInStock = (companyId: number) => condition`products.id = any(array(
  select few.id from products as few where few.company_id = ${companyId} and few.manage_stock
    and few.items_in_stock is not null and few.items_in_stock < (
      select owner.warn_at_stock_level_below from companies as owner
      where owner.id = ${companyId} and owner.inventory_management_active)))`

/** Search words in any order; the last one may be a prefix. */
export function hasWords(column: 'title' | 'comment', value: string) {
  const words = sql`(nullif(plainto_tsquery('simple', ${value})::text, '') || ':*')::tsquery`
  return condition`to_tsvector('simple', ${sql.ref(`products.${column}`)}) @@ ${words}`
}

/** Is a product sold under such terms? */
const hasBinding = (terms: RawBuilder<unknown>) => condition`exists (select from product_bindings as binding
  where binding.company_id = products.company_id and binding.product_key = products.id and ${terms})`

type GivenFilters = Optional<{
  since_id: number
  created_at_min: Date
  created_at_max: Date
  updated_at_min: Date
  updated_at_max: Date
  published_at_min: Date
  published_at_max: Date
  published: boolean
  buyable: boolean
  /** The company whose level of warning counts. */
  low_stock_of: number
  product_type: number
  license_id: number
  price_id: number
}>

type GivenSearch = { version?: string; title?: string; comment?: string; product_id?: string; searched_type?: number }

type GivenIds = { keys?: number[]; product_ids?: string[] }

/** The filters of a list or count, as the values of its statement. */
export type GivenProductFilters = GivenFilters & GivenSearch & GivenIds

const FILTERS: Filters<Rows, GivenFilters & GivenSearch> = {
  since_id: (rows, id) => rows.where('products.id', '>', id),
  created_at_min: (rows, time) => rows.where('products.created_at', '>=', time),
  created_at_max: (rows, time) => rows.where('products.created_at', '<=', time),
  updated_at_min: (rows, time) => rows.where('products.updated_at', '>=', time),
  updated_at_max: (rows, time) => rows.where('products.updated_at', '<=', time),
  published_at_min: (rows, time) => rows.where('products.published_at', '>=', time),
  published_at_max: (rows, time) => rows.where('products.published_at', '<=', time),
  published: (rows, published) => rows.where('products.published', '=', published),
  buyable: (rows, buyable) => rows.where(buyable ? isBuyable : isNotBuyable),
  low_stock_of: (rows, companyId) => rows.where(isLowInStock(companyId)),
  product_type: (rows, type) => rows.where('products.product_type', '=', type),
  license_id: (rows, id) => rows.where(hasBinding(sql`binding.license_id = ${id}`)),
  price_id: (rows, id) => rows.where(hasBinding(sql`(binding.price_id = ${id} or binding.compare_price_id = ${id})`)),
  title: (rows, words) =>
    rows.where(condition`(lower(products.title) = lower(${words}::text) or ${hasWords('title', words)})`),
  comment: (rows, words) => rows.where(hasWords('comment', words)),
  version: (rows, version) => rows.where(condition`lower(products.version) = lower(${version}::text)`),
  product_id: (rows, id) => rows.where('products.product_id', '=', id),
  searched_type: (rows, type) => rows.where('products.product_type', '=', type),
}

export function narrowProducts(rows: Rows, { keys, product_ids, ...given }: GivenProductFilters): Rows {
  const narrowed = narrow(rows, FILTERS, given)
  if (keys === undefined || product_ids === undefined) return narrowed
  return narrowed.where(
    condition`(products.id = any(${keys}::bigint[]) or products.product_id = any(${product_ids}::text[]))`,
  )
}

const SEARCHED = ['version', 'title', 'comment', 'product_id', 'product_type'] as const

/** `low_stock` false asks for all products, as if it were not sent. */
export function readFilters(filters: CountFilters, companyId: number): GivenProductFilters {
  const { since_id, published_status: status = 'any', sale_status = 'any', low_stock } = filters
  return {
    created_at_min: readTime(filters.created_at_min),
    created_at_max: readTime(filters.created_at_max),
    updated_at_min: readTime(filters.updated_at_min),
    updated_at_max: readTime(filters.updated_at_max),
    published_at_min: readTime(filters.published_at_min),
    published_at_max: readTime(filters.published_at_max),
    since_id,
    published: status === 'any' ? undefined : status === 'published',
    buyable: sale_status === 'any' ? undefined : sale_status === 'buyable',
    low_stock_of: low_stock === true ? companyId : undefined,
    product_type: filters.product_type,
    license_id: filters.license_id,
    price_id: filters.price_id,
    ...readIds(filters.ids),
    ...readSearch(filters.query),
    ...readWords(filters.q),
  }
}

function readIds(ids: string | undefined): GivenIds {
  if (ids === undefined) return {}
  const refs = ids.split(',').map((ref) => ref.trim())
  return {
    keys: refs.filter((ref) => /^\d{1,15}$/.test(ref)).map(Number),
    product_ids: refs.filter((ref) => ref.includes('-')).map((ref) => ref.toUpperCase()),
  }
}

/** The `product_id`, or words of the title. */
function readWords(text = ''): GivenSearch {
  const words = text.trim()
  if (words === '') return {}
  return PRODUCT_ID.test(words) ? { product_id: words.toUpperCase() } : { title: words }
}

/** `field:value`. A type that is not a number matches no product. */
function readSearch(text: string | undefined): GivenSearch {
  if (text === undefined) return {}
  const [field = '', ...rest] = text.split(':')
  const value = rest.join(':').trim()
  const name = SEARCHED.find((searched) => searched === field.trim())
  if (name === undefined || value === '') {
    throw validationFailed('query', searchInvalid(`field:value with one of the fields ${SEARCHED.join(', ')}`))
  }
  if (name === 'product_type') return { searched_type: /^\d{1,4}$/.test(value) ? Number(value) : -1 }
  return { [name]: name === 'product_id' ? value.toUpperCase() : value }
}
