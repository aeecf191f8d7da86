import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { FailureFilters } from './schema.ts'
import type { FailedCopy, Purchase, StampedFileState } from './state.ts'

/** Every read of stamped files starts here, so none can forget the company. */
function stampedFilesOf(db: Db, companyId: number) {
  return db.selectFrom('stamped_files').where('stamped_files.company_id', '=', companyId)
}

type Typed = Pick<StampedFileState, 'state' | 'stamp'>

export function findStampedFile(db: Db, companyId: number, id: number): Promise<StampedFileState | undefined> {
  return stampedFilesOf(db, companyId)
    .selectAll()
    .$narrowType<Typed>()
    .where('stamped_files.id', '=', id)
    .executeTakeFirst()
}

const copyOfPurchase = prepare((db: Db, companyId: number, entitlementId: number, fileId: number) =>
  stampedFilesOf(db, companyId)
    .selectAll()
    .$narrowType<Typed>()
    .where('stamped_files.entitlement_id', '=', entitlementId)
    .where('stamped_files.file_id', '=', fileId)
    .compile(),
)

/** The copy of a file for a purchase. */
export async function findCopy(
  db: Db,
  { company_id, entitlement_id, file_id }: Purchase,
): Promise<StampedFileState | undefined> {
  const [copy] = await copyOfPurchase(db, company_id, entitlement_id, file_id)
  return copy
}

/** The copies that could not be made, newest first. */
export function listFailures(db: Db, companyId: number, limit: number): Promise<StampedFileState[]> {
  return stampedFilesOf(db, companyId)
    .selectAll()
    .$narrowType<Typed>()
    .where('stamped_files.state', '=', 'failed')
    .orderBy('stamped_files.id', 'desc')
    .limit(limit)
    .execute()
}

/** The product whose file was to be copied, if the file is still there. Content files come before copies, so their table is read. */
const productId = sql<Columns<'products', 'product_id'>['product_id'] | null>`(select product.product_id
  from content_files as file
  join products as product on product.company_id = file.company_id and product.id = file.product_key
  where file.company_id = stamped_files.company_id and file.id = stamped_files.file_id and file.removed_at is null)`

const failed = prepareList((db: Db, { company, product_id }: { company: number; product_id: string | undefined }) => {
  const copies = stampedFilesOf(db, company)
    .select(['stamped_files.id', 'stamped_files.file_id', 'stamped_files.entitlement_id', 'stamped_files.name'])
    .select(['stamped_files.reason', 'stamped_files.updated_at', productId.as('product_id')])
    .where('stamped_files.state', '=', 'failed')
  return product_id === undefined ? copies : copies.where(productId, '=', product_id)
})

/** The copies that could not be made, of all files or of those of a product. */
export function listFailedCopies(db: Db, companyId: number, { product_id }: FailureFilters): RowList<FailedCopy> {
  return failed(db, { company: companyId, product_id })
}

const flaw = prepare((db: Db, companyId: number) =>
  sql<Columns<'products', 'id' | 'title'> & { count: number }>`select product.id, product.title,
      count(*) over () as count
    from content_files as file
    join products as product on product.company_id = file.company_id and product.id = file.product_key
    where file.company_id = ${companyId} and file.removed_at is null and file.id in (
      select stamped_files.file_id from stamped_files
      where stamped_files.company_id = ${companyId} and stamped_files.state = 'failed')
    order by file.id desc limit 1`.compile(db),
)

/** How many files of a company cannot be copied for their buyers, and the product that the latest belongs to. */
export async function readUnstampable(
  db: Db,
  companyId: number,
): Promise<{ count: number; latest?: { id: number; title: string } }> {
  const [row] = await flaw(db, companyId)
  return row === undefined ? { count: 0 } : { count: row.count, latest: { id: row.id, title: row.title } }
}
