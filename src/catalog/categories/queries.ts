import { sql } from 'kysely'
import { categoriesOf } from '#catalog/category-tree/queries.ts'
import { picturesOf } from '#catalog/pictures/queries.ts'
import type { Picture } from '#catalog/pictures/rules.ts'
import { readCounter } from '#platform/db/counters.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf } from '#platform/db/expressions.ts'
import { type DocumentList, prepareList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import { categoryNotFound } from './errors.ts'
import type { CategoryState } from './state.ts'

export const CATEGORIES = 'categories'

/** The stored document with the entries put in at its end, as text. All of an entry is in the index of their order. */
const wholeDocument = sql<string>`left(categories.document, -1) || ',"entries":[' || coalesce((
  select string_agg('{"id":' || entry.id || ',"product_id":"' || entry.product_id || '","created_at":"'
    || to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') || '"}', ',' order by entry.position, entry.id)
  from category_entries as entry
  where entry.company_id = categories.company_id and entry.category_id = categories.id), '') || ']}'`

const documentById = prepare((db: Db, companyId: number, id: number) =>
  categoriesOf(db, companyId).select(wholeDocument.as('document')).where('categories.id', '=', id).compile(),
)

/** The document of a category; another company's is not found. */
export async function getCategoryDocument(db: Db, companyId: number, ref: string): Promise<string> {
  if (!/^\d{1,15}$/.test(ref)) throw categoryNotFound(ref)
  const [category] = await documentById(db, companyId, Number(ref))
  if (category === undefined) throw categoryNotFound(ref)
  return category.document
}

const allOf = prepareList((db: Db, { company }: { company: number }) =>
  categoriesOf(db, company).select(['categories.id', wholeDocument.as('document')]),
)

export function listCategories(db: Db, companyId: number): DocumentList {
  return allOf(db, { company: companyId })
}

/** The stored counter has the number of all categories; categories after an id are counted in the index. */
export async function countCategories(db: Db, companyId: number, sinceId?: number): Promise<number> {
  if (sinceId === undefined) return readCounter(db, companyId, CATEGORIES)
  const { count } = await categoriesOf(db, companyId)
    .where('categories.id', '>', sinceId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Locks the category until the transaction ends and reads all of it. Products that name the category do not wait for a
 * change of it, only for its removal.
 */
export async function lockCategory(
  tx: Tx,
  companyId: number,
  ref: string,
  purpose: 'change' | 'removal' = 'change',
): Promise<CategoryState> {
  if (!/^\d{1,15}$/.test(ref)) throw categoryNotFound(ref)
  const row = await categoriesOf(tx, companyId)
    .select('categories.id')
    .where('categories.id', '=', Number(ref))
    .$call((query) => (purpose === 'removal' ? query.forUpdate() : query.forNoKeyUpdate()))
    .executeTakeFirst()
  const [category] = row === undefined ? [] : await readCategories(tx, companyId, [row.id])
  if (category === undefined) throw categoryNotFound(ref)
  return category
}

export async function readCategories(db: Db, companyId: number, ids: number[]): Promise<CategoryState[]> {
  const any = anyOf(ids)
  const [rows, pictures] = await Promise.all([
    categoriesOf(db, companyId)
      .selectAll()
      .$narrowType<Pick<CategoryState, 'locales'>>()
      .where('id', '=', any)
      .orderBy('id')
      .execute(),
    picturesOf(db, companyId).selectAll().where('category_id', '=', any).orderBy('id').execute(),
  ])
  const ownPictures = Map.groupBy(pictures, ({ category_id }) => category_id)
  return rows.map(({ document: _document, ...category }) => ({
    ...category,
    pictures: (ownPictures.get(category.id) ?? []).map(
      ({ id, source_url, state, file, position }): Picture => ({ id, source_url, state, file, position }),
    ),
  }))
}

export async function readCategoryKeys(db: Db, companyId: number, after: number, limit: number): Promise<number[]> {
  const rows = await categoriesOf(db, companyId)
    .select('categories.id')
    .where('categories.id', '>', after)
    .orderBy('categories.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The oldest category with a title below a parent; null is the top level. */
export async function findCategoryByTitle(
  db: Db,
  companyId: number,
  parentId: number | null,
  title: string,
): Promise<number | undefined> {
  const row = await categoriesOf(db, companyId)
    .select('categories.id')
    .where('categories.parent_id', 'is not distinct from', parentId)
    .where('categories.title', '=', title)
    .orderBy('categories.id')
    .executeTakeFirst()
  return row?.id
}

export type CategoryEntryRow = { id: number; product_key: number; created_at: Date }

export function readEntries(db: Db, companyId: number, categoryId: number): Promise<CategoryEntryRow[]> {
  return db
    .selectFrom('category_entries')
    .select(['id', 'product_key', 'created_at'])
    .where('company_id', '=', companyId)
    .where('category_id', '=', categoryId)
    .orderBy('position')
    .orderBy('id')
    .execute()
}
