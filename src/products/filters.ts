import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '#platform/db/types.gen.ts'
import { validationFailed } from '#platform/problem.ts'
import { readTime } from '#platform/wire.ts'
import type { ProductFilters } from './schema.ts'

export type CountFilters = ProductFilters & { since_id?: number }

type Rows = SelectQueryBuilder<DB, 'products', object>

/** How a filter narrows the rows. Its values are passed on as they are: the statement is built once and kept. */
type Filter = (rows: Rows, ...values: never[]) => Rows

/** Words in any order, the last of which may be a beginning. */
function hasWords(column: 'title' | 'comment', value: never) {
  const words = sql`(nullif(plainto_tsquery('simple', ${value})::text, '') || ':*')::tsquery`
  return sql<SqlBool>`to_tsvector('simple', ${sql.ref(`products.${column}`)}) @@ ${words}`
}

const FILTERS = {
  since_id: (rows, id) => rows.where('products.id', '>', id),
  created_at_min: (rows, time) => rows.where('products.created_at', '>=', time),
  created_at_max: (rows, time) => rows.where('products.created_at', '<=', time),
  updated_at_min: (rows, time) => rows.where('products.updated_at', '>=', time),
  updated_at_max: (rows, time) => rows.where('products.updated_at', '<=', time),
  published_at_min: (rows, time) => rows.where('products.published_at', '>=', time),
  published_at_max: (rows, time) => rows.where('products.published_at', '<=', time),
  published: (rows, published) => rows.where('products.published', '=', published),
  product_type: (rows, type) => rows.where('products.product_type', '=', type),
  ids: (rows, keys, productIds) =>
    rows.where(
      sql<SqlBool>`(products.id = any(${keys}::bigint[]) or products.product_id = any(${productIds}::text[]))`,
    ),
  title: (rows, words) =>
    rows.where(sql<SqlBool>`(lower(products.title) = lower(${words}::text) or ${hasWords('title', words)})`),
  comment: (rows, words) => rows.where(hasWords('comment', words)),
  version: (rows, version) => rows.where(sql<SqlBool>`lower(products.version) = lower(${version}::text)`),
  product_id: (rows, id) => rows.where('products.product_id', '=', id),
} satisfies Record<string, Filter>

type Given = { filter: keyof typeof FILTERS; values: unknown[] }

const TIMES = [
  'created_at_min',
  'created_at_max',
  'updated_at_min',
  'updated_at_max',
  'published_at_min',
  'published_at_max',
] as const

const SEARCHED = ['version', 'title', 'comment', 'product_id', 'product_type'] as const

/** What a caller asks for, as a name that stands for the statement, the values in it, and the way to build it. */
export function readFilters(filters: CountFilters) {
  const given = [...readPlain(filters), ...readIds(filters.ids), ...readSearch(filters.query)]
  return {
    name: given.map(({ filter }) => filter).join(' '),
    values: given.flatMap(({ values }) => values),
    narrow: <Narrowed extends Rows>(rows: Narrowed, values: never[]): Narrowed => {
      const rest = [...values]
      const apply = (narrowed: Rows, { filter, values }: Given) => {
        const narrow: Filter = FILTERS[filter]
        return narrow(narrowed, ...rest.splice(0, values.length))
      }
      return given.reduce<Rows>(apply, rows) as Narrowed
    },
  }
}

function readPlain(filters: CountFilters): Given[] {
  const times = TIMES.flatMap((filter): Given[] => {
    const text = filters[filter]
    return text === undefined ? [] : [{ filter, values: [readTime(text)] }]
  })
  const status = filters.published_status ?? 'any'
  return [
    ...times,
    ...(filters.since_id === undefined ? [] : [{ filter: 'since_id' as const, values: [filters.since_id] }]),
    ...(status === 'any' ? [] : [{ filter: 'published' as const, values: [status === 'published'] }]),
    ...(filters.product_type === undefined
      ? []
      : [{ filter: 'product_type' as const, values: [filters.product_type] }]),
  ]
}

function readIds(ids: string | undefined): Given[] {
  if (ids === undefined) return []
  const refs = ids.split(',').map((ref) => ref.trim())
  const keys = refs.filter((ref) => /^\d{1,15}$/.test(ref)).map(Number)
  const productIds = refs.filter((ref) => ref.includes('-')).map((ref) => ref.toUpperCase())
  return [{ filter: 'ids', values: [keys, productIds] }]
}

/** `field:value`; a type that is no number is none that a product could have. */
function readSearch(text: string | undefined): Given[] {
  if (text === undefined) return []
  const [, field = '', value = ''] = /^\s*(\w+)\s*:\s*(.*?)\s*$/s.exec(text) ?? []
  const filter = SEARCHED.find((name) => name === field)
  if (filter === undefined || value === '') {
    throw validationFailed({
      query: [`must have the form field:value with one of the fields ${SEARCHED.join(', ')}`],
    })
  }
  if (filter === 'product_type') return [{ filter, values: [/^\d{1,4}$/.test(value) ? Number(value) : -1] }]
  return [{ filter, values: [filter === 'product_id' ? value.toUpperCase() : value] }]
}
