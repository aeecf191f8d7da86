import { type ExpressionBuilder, sql } from 'kysely'
import { selectLicenses } from '#catalog/licenses/queries.ts'
import { picturesOf, type StoredPicture } from '#catalog/pictures/queries.ts'
import type { Picture } from '#catalog/pictures/rules.ts'
import { selectPrices } from '#catalog/prices/queries.ts'
import { readCounter } from '#platform/db/counters.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf, anyText, type Columns, condition } from '#platform/db/expressions.ts'
import { type DocumentList, prepareList } from '#platform/db/pages.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import type { DB } from '#platform/db/types.gen.ts'
import { productNotFound } from './errors.ts'
import { type CountFilters, type GivenProductFilters, narrowProducts, readFilters } from './lists/filters.queries.ts'
import { readOriginals } from './mirrors/queries.ts'
import { byGroupId, type Term } from './parts/rules.ts'
import { hasContent, PRODUCT_ID } from './rules.ts'
import type { ProductFilters } from './schema.ts'
import type { Original, ProductFile, ProductState } from './state.ts'

export const PRODUCTS = 'products'

/** Every read of products starts here, so none can forget the company. */
export function productsOf(db: Db, companyId: number) {
  return db.selectFrom('products').where('products.company_id', '=', companyId)
}

type Where = ExpressionBuilder<DB, 'products'>

const isKey = (ref: string) => /^\d{1,15}$/.test(ref)

/** A product is addressed by its id or by its `product_id`, in upper or lower case. */
function isAddressed(ref: string) {
  return (where: Where) => {
    if (isKey(ref)) return where('products.id', '=', Number(ref))
    if (PRODUCT_ID.test(ref)) return where('products.product_id', '=', ref.toUpperCase())
    throw productNotFound(ref)
  }
}

const documentById = prepare((db: Db, companyId: number, id: number) =>
  productsOf(db, companyId).select('document').where('products.id', '=', id).compile(),
)

const documentByProductId = prepare((db: Db, companyId: number, productId: string) =>
  productsOf(db, companyId).select('document').where('products.product_id', '=', productId).compile(),
)

/** The stored document of a product; another company's is not found. */
export async function getProductDocument(db: Db, companyId: number, ref: string): Promise<string> {
  if (!isKey(ref) && !PRODUCT_ID.test(ref)) throw productNotFound(ref)
  const [product] = isKey(ref)
    ? await documentById(db, companyId, Number(ref))
    : await documentByProductId(db, companyId, ref.toUpperCase())
  if (product === undefined) throw productNotFound(ref)
  return product.document
}

const listed = prepareList(
  (db: Db, { company, ...filters }: GivenProductFilters & { company: number }) =>
    narrowProducts(productsOf(db, company), filters).select(['products.id', 'products.document']),
  {
    title: { value: sql`lower(products.title)`, type: 'text' },
    created_at: { value: sql`products.created_at`, type: 'timestamptz' },
    updated_at: { value: sql`products.updated_at`, type: 'timestamptz' },
  },
)

export function listProducts(db: Db, companyId: number, filters: ProductFilters): DocumentList {
  // The paging handles `since_id`.
  return listed(db, { ...readFilters({ ...filters, since_id: undefined }, companyId), company: companyId })
}

const counted = prepareFamily((db: Db, filters: GivenProductFilters, companyId: number) =>
  narrowProducts(productsOf(db, companyId), filters)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** Without filters the stored counter is used; with filters an index is. */
export async function countProducts(db: Db, companyId: number, filters: CountFilters): Promise<number> {
  if (Object.keys(filters).length === 0) return readCounter(db, companyId, PRODUCTS)
  const [row] = await counted(db, readFilters(filters, companyId), companyId)
  return row?.count ?? 0
}

/** Locks the product until the transaction ends and reads all of it: do this before deciding on a change. */
export async function lockProduct(tx: Tx, companyId: number, ref: string): Promise<ProductState> {
  const row = await productsOf(tx, companyId)
    .select('products.id')
    .where(isAddressed(ref))
    .forUpdate()
    .executeTakeFirst()
  const [product] = row === undefined ? [] : await readProducts(tx, companyId, [row.id])
  if (product === undefined) throw productNotFound(ref)
  return product
}

/** Locks products until the transaction ends, in the order of their ids, so that two transactions cannot deadlock. */
export async function lockProductRows(tx: Tx, companyId: number, keys: number[]): Promise<void> {
  await productsOf(tx, companyId)
    .select('products.id')
    .where('products.id', '=', anyOf(keys))
    .orderBy('products.id')
    .forUpdate()
    .execute()
}

/** lockProduct for many; those that were deleted in the meantime are left out. */
export async function lockProducts(tx: Tx, companyId: number, keys: number[]): Promise<ProductState[]> {
  await lockProductRows(tx, companyId, keys)
  return readProducts(tx, companyId, keys)
}

/** The columns of a binding that belong to it. */
const BINDING_COLUMNS = ['id', 'license_id', 'price_id', 'compare_price_id', 'hd', 'audio_type', 'num_users'] as const

/** The columns that a product is read from. The others are worked out from them. */
const OWN_COLUMNS = [
  'company_id',
  'id',
  'product_id',
  'title',
  'version',
  'comment',
  'product_type',
  'created_at',
  'updated_at',
  'published_at',
  'published',
  'pre_sales',
  'drm_protected',
  'allow_download_trial',
  'attribute_set_id',
  'mirrored',
  'valid',
  'has_content',
  'supplier',
  'runtime',
  'gtin',
  'weight',
  'items_in_stock',
  'manage_stock',
  'tax_class',
  'locales',
  'chapters',
  'tagging',
  'included',
] as const

/** Reads products with all their parts, with one statement per table however many products there are. */
export async function readProducts(db: Db, companyId: number, keys: number[]): Promise<ProductState[]> {
  const any = anyOf(keys)
  const [rows, entries, bindings, themes, groups, pictures, files] = await Promise.all([
    productsOf(db, companyId)
      .select(OWN_COLUMNS)
      .$narrowType<Pick<ProductState, 'tax_class' | 'locales' | 'chapters' | 'tagging' | 'included'>>()
      .where('id', '=', any)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('category_entries')
      .selectAll()
      .where('company_id', '=', companyId)
      .where('product_key', '=', any)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('product_bindings')
      .select(['product_key', ...BINDING_COLUMNS])
      .where('company_id', '=', companyId)
      .where('product_key', '=', any)
      .orderBy('position')
      .execute(),
    db
      .selectFrom('product_themes')
      .selectAll()
      .where('company_id', '=', companyId)
      .where('product_key', '=', any)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('product_groups')
      .selectAll()
      .where('company_id', '=', companyId)
      .where('product_key', '=', any)
      .execute(),
    picturesOf(db, companyId).selectAll().where('product_key', '=', any).orderBy('id').execute(),
    readFiles(db, companyId, keys),
  ])
  const originals = await readOriginals(
    db,
    companyId,
    rows.filter(({ mirrored }) => mirrored).map(({ id }) => id),
  )
  const mirroredPictures = await readOriginalPictures(db, [...originals.values()])
  const of = <Row extends { product_key: number | null }>(list: Row[]) =>
    Map.groupBy(list, ({ product_key }) => product_key)
  const [entriesOf, bindingsOf, themesOf, groupsOf, ownPictures, filesOf] = [
    of(entries),
    of(bindings),
    of(themes),
    of(groups),
    of(pictures),
    of(files),
  ]
  return rows.map((scalars) => ({
    ...scalars,
    has_content: scalars.mirrored
      ? scalars.has_content
      : hasContent(scalars.product_type, filesOf.get(scalars.id) ?? []),
    original: originals.get(scalars.id) ?? null,
    categories: (entriesOf.get(scalars.id) ?? []).map(({ id, category_id, position, created_at }) => ({
      id,
      category_id,
      position,
      created_at,
    })),
    bindings: (bindingsOf.get(scalars.id) ?? []).map(({ product_key: _product, ...binding }) => binding),
    themes: (themesOf.get(scalars.id) ?? []).map(({ id, theme_id, created_at }) => ({ id, theme_id, created_at })),
    // Sorted here and not by PostgreSQL, whose order of texts depends on the locale of the database.
    groups: (groupsOf.get(scalars.id) ?? [])
      .map(({ group_id, start_at, end_at, created_at }) => ({ group_id, start_at, end_at, created_at }))
      .sort(byGroupId),
    pictures: (mirroredPictures.get(originals.get(scalars.id)) ?? ownPictures.get(scalars.id) ?? []).map(
      ({ id, source_url, state, file, position }): Picture => ({ id, source_url, state, file, position }),
    ),
    files: (filesOf.get(scalars.id) ?? []).map(({ product_key: _product, ...file }) => file),
  }))
}

/** The content files that products show, in their order. */
async function readFiles(
  db: Db,
  companyId: number,
  keys: number[],
): Promise<(ProductFile & { product_key: number })[]> {
  const { rows } = await sql<
    Columns<'content_files', 'id' | 'product_key' | 'name' | 'language' | 'content_type' | 'size'> &
      Pick<ProductFile, 'role' | 'status'>
  >`
    select id, product_key, name, role, language, status, content_type, size from content_files
    where company_id = ${companyId} and product_key = any(${keys}::bigint[])
      and status <> 'uploading' and removed_at is null
    order by position, id`.execute(db)
  return rows
}

/** The pictures of originals, which mirrored products show as they are, with one statement per owner. */
async function readOriginalPictures(
  db: Db,
  originals: Original[],
): Promise<Map<Original | undefined, StoredPicture[]>> {
  const byOwner = Map.groupBy(originals, ({ company_id }) => company_id)
  const found = await Promise.all(
    [...byOwner].map(async ([ownerId, ofOwner]) => {
      const keys = ofOwner.map(({ id }) => id)
      const rows = await picturesOf(db, ownerId)
        .selectAll()
        .where('product_key', '=', anyOf(keys))
        .orderBy('id')
        .execute()
      const picturesOfKey = Map.groupBy(rows, ({ product_key }) => product_key)
      return ofOwner.map((original) => [original, picturesOfKey.get(original.id) ?? []] as const)
    }),
  )
  return new Map(found.flat())
}

/** The ids of products after one id, in order, to process a whole shop in batches. */
export async function readProductKeys(db: Db, companyId: number, after: number, limit: number): Promise<number[]> {
  const rows = await productsOf(db, companyId)
    .select('products.id')
    .where('products.id', '>', after)
    .orderBy('products.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The keys of those products that exist, by id or `product_id` as the caller wrote it. */
export async function findProductKeys(db: Db, companyId: number, refs: string[]): Promise<Map<string, number>> {
  const keys = refs.filter((ref) => /^\d{1,15}$/.test(ref)).map(Number)
  // Anything else is no `product_id`, and may hold what a database cannot compare.
  const productIds = refs.filter((ref) => /^[\dA-F-]{1,50}$/i.test(ref)).map((ref) => ref.toUpperCase())
  const rows = await productsOf(db, companyId)
    .select(['products.id', 'products.product_id'])
    .where(condition`(products.id = any(${keys}::bigint[]) or products.product_id = any(${productIds}::text[]))`)
    .execute()
  const byRef = new Map(
    rows.flatMap(
      ({ id, product_id }) =>
        [
          [String(id), id],
          [product_id, id],
        ] as const,
    ),
  )
  return new Map(
    refs.flatMap((ref) => {
      const key = byRef.get(ref.toUpperCase()) ?? byRef.get(String(Number(ref)))
      return key === undefined ? [] : [[ref, key] as const]
    }),
  )
}

/** The keys of products with a title, in upper or lower case: there may be several. */
export async function findProductKeysByTitle(db: Db, companyId: number, title: string): Promise<number[]> {
  const rows = await productsOf(db, companyId)
    .select('products.id')
    .where(condition`lower(products.title) = lower(${title}::text)`)
    .orderBy('products.id')
    .limit(2)
    .execute()
  return rows.map(({ id }) => id)
}

export async function isProductIdTaken(db: Db, companyId: number, productId: string): Promise<boolean> {
  return (
    (await productsOf(db, companyId)
      .select('products.id')
      .where('products.product_id', '=', productId)
      .executeTakeFirst()) !== undefined
  )
}

const termsByIds = prepare((db: Db, companyId: number, licenses: number[], prices: number[]) =>
  selectLicenses(db, companyId, licenses)
    .unionAll(selectPrices(db, companyId, prices))
    .compile(),
)

/**
 * Which of the licenses and prices the shop has, and whether each is valid, by kind and id: one statement for all of
 * them. No lock is needed, because they are never deleted.
 */
export async function findTerms(db: Db, companyId: number, terms: readonly Term[]): Promise<Map<string, boolean>> {
  const idsOf = (kind: Term['kind']) => terms.filter((term) => term.kind === kind).map(({ id }) => id)
  const rows = await termsByIds(db, companyId, idsOf('license'), idsOf('price'))
  return new Map(rows.map(({ kind, id, valid }) => [`${kind} ${id}`, valid === 1]))
}

/** The types of those products that exist, by `product_id`. */
export async function findTypes(
  db: Db,
  companyId: number,
  productIds: readonly string[],
): Promise<Map<string, Pick<ProductState, 'product_type' | 'mirrored'>>> {
  const rows = await productsOf(db, companyId)
    .select(['products.product_id', 'products.product_type', 'products.mirrored'])
    .where('products.product_id', '=', anyText(productIds))
    .execute()
  return new Map(rows.map(({ product_id, ...type }) => [product_id, type]))
}

/** When products are released that are not out yet, by their keys. */
export async function readReleasesAhead(
  db: Db,
  companyId: number,
  keys: readonly number[],
  now: Date,
): Promise<Map<number, Date>> {
  const rows = await productsOf(db, companyId)
    .select(['products.id', 'products.published_at'])
    .where('products.id', '=', anyOf(keys))
    .where('products.published_at', '>', now)
    .execute()
  return new Map(rows.flatMap(({ id, published_at }) => (published_at === null ? [] : [[id, published_at]])))
}
