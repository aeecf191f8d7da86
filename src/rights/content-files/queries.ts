import { type RawBuilder, sql } from 'kysely'
import { productIsMirrored, productUnknown } from '#catalog/products/errors.ts'
import { findProductKeys, productsOf } from '#catalog/products/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition, type Row } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { packingAsJson } from '#rights/packing/queries.ts'
import { fileNotFound } from './errors.ts'
import { type FileFilters as Filtered, POSITION_MAX } from './schema.ts'
import type { ShownFile } from './state.ts'

export const CONTENT_FILES = 'content_files'

/** Every read of content files starts here, so none can forget the company. */
export function contentFilesOf(db: Db, companyId: number) {
  return db.selectFrom('content_files').where('content_files.company_id', '=', companyId)
}

type Typed = Pick<ShownFile, 'role' | 'status' | 'fault' | 'packing'>

const productId = sql<Row<'products'>['product_id']>`(select product.product_id from products as product
  where product.company_id = content_files.company_id and product.id = content_files.product_key)`

const uploadId = sql<Row<'content_uploads'>['id'] | null>`(select upload.id from content_uploads as upload
  where upload.company_id = content_files.company_id and upload.file_id = content_files.id)`

const packing = packingAsJson(sql`content_files.company_id`, sql`content_files.sha256`)

/** Files that are shown: neither removed nor of a product that was deleted. */
function shownOf(db: Db, companyId: number) {
  return contentFilesOf(db, companyId)
    .where('content_files.removed_at', 'is', null)
    .where(condition`exists (select from products as product
      where product.company_id = content_files.company_id and product.id = content_files.product_key)`)
}

type Shown = ReturnType<typeof shownOf>

function whole(files: Shown) {
  return files
    .selectAll('content_files')
    .select([productId.as('product_id'), uploadId.as('upload_id'), packing.as('packing')])
    .$narrowType<Typed>()
}

type FileFilters = Optional<Filtered>
type Given = Optional<{ product: number; role: string; after: number }>

const FILTERS: Filters<Shown, Given> = {
  product: (files, key) => files.where('content_files.product_key', '=', key),
  role: (files, role) => files.where('content_files.role', '=', role),
  after: (files, id) => files.where('content_files.id', '>', id),
}

const listed = prepareList((db: Db, { company, ...given }: Given & { company: number }) =>
  whole(narrow(shownOf(db, company), FILTERS, given)),
)

/** An unknown product has no files. */
async function readFilters(db: Db, companyId: number, { product_id, role }: FileFilters): Promise<Given> {
  if (product_id === undefined) return { role }
  const keys = await findProductKeys(db, companyId, [product_id])
  return { role, product: keys.get(product_id) ?? 0 }
}

export async function listFiles(db: Db, companyId: number, filters: FileFilters): Promise<RowList<ShownFile>> {
  return listed(db, { ...(await readFilters(db, companyId, filters)), company: companyId })
}

const counted = prepareFamily((db: Db, given: Given, companyId: number) =>
  narrow(shownOf(db, companyId), FILTERS, given)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** Counts in an index: files are few beside orders. */
export async function countFiles(
  db: Db,
  companyId: number,
  { since_id, ...filters }: FileFilters & { since_id?: number | undefined },
): Promise<number> {
  const given = await readFilters(db, companyId, filters)
  const [row] = await counted(db, { ...given, after: since_id }, companyId)
  return row?.count ?? 0
}

const byId = prepare((db: Db, companyId: number, id: number) =>
  whole(shownOf(db, companyId)).where('content_files.id', '=', id).compile(),
)

const isId = (ref: string) => /^\d{1,15}$/.test(ref)

/** A content file; another company's is not found. */
export async function getFile(db: Db, companyId: number, ref: string): Promise<ShownFile> {
  const [file] = isId(ref) ? await byId(db, companyId, Number(ref)) : []
  if (file === undefined) throw fileNotFound(ref)
  return file
}

/** getFile that locks the row until the transaction ends: do this before deciding on a change. */
export async function lockFile(tx: Tx, companyId: number, ref: string): Promise<ShownFile> {
  if (!isId(ref)) throw fileNotFound(ref)
  const file = await whole(shownOf(tx, companyId))
    .where('content_files.id', '=', Number(ref))
    .forUpdate('content_files')
    .executeTakeFirst()
  if (file === undefined) throw fileNotFound(ref)
  return file
}

/** The key of a product that can have files; a mirrored one shows those of its original. */
export async function getProductKey(db: Db, companyId: number, ref: string): Promise<number> {
  const key = (await findProductKeys(db, companyId, [ref])).get(ref)
  if (key === undefined) throw validationFailed('product_id', productUnknown('this shop'))
  const product = await productsOf(db, companyId)
    .select(['products.mirrored', 'products.title'])
    .where('products.id', '=', key)
    .executeTakeFirst()
  if (product?.mirrored === true) throw productIsMirrored(product.title)
  return key
}

/** The place after the last file of a product; the last one, if there is none after it. */
export async function nextPosition(db: Db, companyId: number, productKey: number): Promise<number> {
  const row = await contentFilesOf(db, companyId)
    .select((select) => select.fn.max('content_files.position').as('last'))
    .where('content_files.product_key', '=', productKey)
    .where('content_files.removed_at', 'is', null)
    .executeTakeFirst()
  return Math.min((row?.last ?? 0) + 1, POSITION_MAX)
}

/**
 * Does a code give the content of a product? They are counted: PostgreSQL believes that one code in a hundred does, and to find
 * out whether there is any, it would read the table until it meets one, instead of the index.
 */
export function isGivenByCode(companyId: RawBuilder<unknown>, productKey: RawBuilder<unknown>) {
  return condition`(select count(*) from redemption_codes as code
    where code.contents @> jsonb_build_array(jsonb_build_object(
      'content_company_id', ${companyId}::bigint, 'content_key', ${productKey}::bigint))) > 0`
}

/** Has anybody bought the product, here or in a shop that mirrors it, or a code that gives it? */
export async function isSold(db: Db, companyId: number, productKey: number): Promise<boolean> {
  const { rows } = await sql`select where exists (select from entitlements
      where content_company_id = ${companyId} and content_key = ${productKey})
    or ${isGivenByCode(sql`${companyId}`, sql`${productKey}`)}`.execute(db)
  return rows.length > 0
}
