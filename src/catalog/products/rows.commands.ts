import { sql } from 'kysely'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { prepareInsert } from '#platform/db/writes.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { mailTextsOf } from './mail-texts.queries.ts'
import { presentProduct } from './present.ts'
import { PRODUCTS } from './queries.ts'
import { isFoundOtherwise } from './search/terms.rules.ts'
import { saveWords } from './search/words.commands.ts'
import type { ProductState } from './state.ts'

/** How products are stored: a row each, and rows for their parts. */

export type PartTable = 'category_entries' | 'product_bindings' | 'product_themes' | 'product_groups'

/** A product's own row, without the parts that have their own tables, except whether it has a price. */
export function rowOf({
  categories: _categories,
  bindings,
  themes: _themes,
  groups: _groups,
  pictures: _pictures,
  files: _files,
  original: _original,
  ...row
}: ProductState) {
  return { ...row, priced: bindings.some(({ price_id }) => price_id !== null) }
}

export function columns(product: ProductState) {
  const { locales, chapters, tagging, included, ...row } = rowOf(product)
  return {
    ...row,
    locales: JSON.stringify(locales),
    chapters: JSON.stringify(chapters),
    tagging: JSON.stringify(tagging),
    included: JSON.stringify(included),
  }
}

export function documentOf(product: ProductState): string {
  return asciiJson(presentProduct(product))
}

/** What an event about a product carries. */
export function eventData(product: { id: number; product_id: string }) {
  return { type: 'product', id: String(product.id), long_id: product.product_id } as const
}

export function positioned(bindings: ProductState['bindings']) {
  return bindings.map((binding, position) => ({ ...binding, position }))
}

/** Adds a product's own row. */
export const insertProduct = prepareInsert('products', {
  allow_download_trial: true,
  attribute_set_id: true,
  chapters: true,
  comment: true,
  company_id: true,
  created_at: true,
  document: true,
  drm_protected: true,
  gtin: true,
  has_content: true,
  id: true,
  included: true,
  items_in_stock: true,
  locales: true,
  mail_texts: true,
  manage_stock: true,
  mirrored: true,
  pre_sales: true,
  priced: true,
  product_id: true,
  product_type: true,
  published: true,
  published_at: true,
  runtime: true,
  supplier: true,
  tagging: true,
  tax_class: true,
  title: true,
  updated_at: true,
  valid: true,
  version: true,
  weight: true,
})

/** All rows are one JSON parameter, however many they are. They have the same columns; the database works out others. */
export async function insertAll(tx: Tx, table: 'products' | PartTable, rows: object[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const name = sql.table(table)
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  await sql`insert into ${name} (${columns})
    select ${columns} from json_populate_recordset(null::${name}, ${JSON.stringify(rows)}::json)`.execute(tx)
}

/** Stores the documents of products as they are now, whether they have content, and how shops find them. */
export async function writeDocuments(tx: Tx, companyId: number, products: ProductState[]): Promise<void> {
  const ids = products.map(({ id }) => id)
  const documents = products.map(documentOf)
  const times = products.map(({ updated_at }) => updated_at)
  const contents = products.map(({ has_content }) => has_content)
  await sql`update products set document = fresh.document, updated_at = fresh.updated_at, has_content = fresh.has_content
    from unnest(${ids}::bigint[], ${documents}::text[], ${times}::timestamptz[], ${contents}::boolean[])
      as fresh (id, document, updated_at, has_content)
    where products.company_id = ${companyId} and products.id = fresh.id`.execute(tx)
  await saveWords(tx, companyId, products)
}

/** The entries have the `product_id`, which never changes, so that a category is read without its products. */
export function entriesOf({ product_id, categories }: ProductState): object[] {
  return categories.map((entry) => ({ ...entry, product_id }))
}

/** Adds products with all their parts, with one statement per table, and counts them. */
export async function insertProducts(tx: Tx, companyId: number, products: ProductState[]): Promise<void> {
  shopChanged(tx, companyId)
  const key = (product: ProductState) => ({ company_id: companyId, product_key: product.id })
  const rows = await Promise.all(
    products.map(async (product) => ({
      ...rowOf(product),
      document: documentOf(product),
      mail_texts: await mailTextsOf(product.locales),
    })),
  )
  await insertAll(tx, 'products', rows)
  await Promise.all([
    insertAll(
      tx,
      'category_entries',
      products.flatMap((product) => entriesOf(product).map((entry) => ({ ...entry, ...key(product) }))),
    ),
    insertAll(
      tx,
      'product_bindings',
      products.flatMap((product) => positioned(product.bindings).map((binding) => ({ ...binding, ...key(product) }))),
    ),
    insertAll(
      tx,
      'product_themes',
      products.flatMap((product) => product.themes.map((theme) => ({ ...theme, ...key(product) }))),
    ),
    insertAll(
      tx,
      'product_groups',
      products.flatMap((product) => product.groups.map((group) => ({ ...group, ...key(product) }))),
    ),
    saveWords(tx, companyId, products),
    adjustCounter(tx, companyId, PRODUCTS, products.length),
  ])
}

/**
 * Stores mirrored products after a change of their originals or of `published`: rows, documents and changed bindings.
 */
export async function saveMirrors(
  tx: Tx,
  companyId: number,
  before: readonly ProductState[],
  products: ProductState[],
): Promise<void> {
  if (products.length === 0) return
  shopChanged(tx, companyId)
  const rows = products.map((product) => ({ ...rowOf(product), document: documentOf(product) }))
  const stored = Object.keys(rows[0] ?? {}).filter((name) => !['company_id', 'id', 'created_at'].includes(name))
  await sql`update products set ${sql.join(stored.map((name) => sql`${sql.ref(name)} = fresh.${sql.ref(name)}`))}
    from json_populate_recordset(null::products, ${JSON.stringify(rows)}::json) as fresh
    where products.company_id = ${companyId} and products.id = fresh.id`.execute(tx)
  const old = new Map(before.map((product) => [product.id, product]))
  const foundOtherwise = products.filter((product) => isFoundOtherwise(old.get(product.id), product))
  await saveWords(tx, companyId, foundOtherwise)
  const rebound = products.filter(
    ({ id, bindings }) => JSON.stringify(old.get(id)?.bindings) !== JSON.stringify(bindings),
  )
  if (rebound.length === 0) return
  const keys = rebound.map(({ id }) => id)
  await sql`delete from product_bindings
    where company_id = ${companyId} and product_key = any(${keys}::bigint[])`.execute(tx)
  const bindings = rebound.flatMap(({ id, bindings }) =>
    positioned(bindings).map((binding) => ({ ...binding, company_id: companyId, product_key: id })),
  )
  await insertAll(tx, 'product_bindings', bindings)
}
