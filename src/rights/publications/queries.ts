import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { type Columns, condition } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import type { PublicationFilters } from './schema.ts'
import { sourceOf } from './sources.secrets.ts'
import type { PublicationSource, PublicationState, ShownPublication } from './state.ts'

/** Every read of publications starts here, so none can forget the company. */
function publicationsOf(db: Db, companyId: number) {
  return db.selectFrom('protected_publications').where('protected_publications.company_id', '=', companyId)
}

type Typed = Pick<PublicationState, 'kind' | 'state' | 'parts' | 'directory'>

export function findPublication(db: Db, companyId: number, id: number): Promise<PublicationState | undefined> {
  return publicationsOf(db, companyId)
    .selectAll()
    .$narrowType<Typed>()
    .where('protected_publications.id', '=', id)
    .executeTakeFirst()
}

export function findBySource(db: Db, companyId: number, source: string): Promise<PublicationState | undefined> {
  return publicationsOf(db, companyId)
    .selectAll()
    .$narrowType<Typed>()
    .where('protected_publications.source', '=', source)
    .executeTakeFirst()
}

/** What is encrypted of some files; undefined if nobody has asked for it. */
export function findPublicationOf(db: Db, source: PublicationSource): Promise<PublicationState | undefined> {
  return findBySource(db, source.company_id, sourceOf(source))
}

/** The file that is encrypted, or the first of several, if a product still has it. */
const fileId = sql<Columns<'content_files', 'id'>['id'] | null>`(select file.id from content_files as file
  where file.company_id = protected_publications.company_id and file.removed_at is null
    and file.sha256 = protected_publications.parts #>> '{0,sha256}' order by file.id limit 1)`

const productId = sql<Columns<'products', 'product_id'>['product_id'] | null>`(select product.product_id
  from content_files as file
  join products as product on product.company_id = file.company_id and product.id = file.product_key
  where file.company_id = protected_publications.company_id and file.removed_at is null
    and file.sha256 = protected_publications.parts #>> '{0,sha256}' order by file.id limit 1)`

const listed = prepareList((db: Db, { company, product_id }: { company: number; product_id: string | undefined }) => {
  const publications = publicationsOf(db, company)
    .select(['protected_publications.id', 'protected_publications.kind', 'protected_publications.title'])
    .select(['protected_publications.state', 'protected_publications.reason', 'protected_publications.updated_at'])
    .select([fileId.as('file_id'), productId.as('product_id')])
    .$narrowType<Pick<ShownPublication, 'kind' | 'state'>>()
  if (product_id === undefined) return publications
  return publications.where(condition`exists (select from content_files as file
    join products as product on product.company_id = file.company_id and product.id = file.product_key
    where file.company_id = protected_publications.company_id and file.removed_at is null
      and product.product_id = ${product_id} and file.sha256 = protected_publications.parts #>> '{0,sha256}')`)
})

/** What is encrypted, or could not be: all of it, or that of a product. */
export function listPublications(
  db: Db,
  companyId: number,
  { product_id }: PublicationFilters,
): RowList<ShownPublication> {
  return listed(db, { company: companyId, product_id: product_id?.toUpperCase() })
}
