import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf, type Columns } from '#platform/db/expressions.ts'

/** Every read of categories starts here, so none can forget the company. */
export function categoriesOf(db: Db, companyId: number) {
  return db.selectFrom('categories').where('categories.company_id', '=', companyId)
}

/** Locks every category of the company, because two moves at once could create a circle that neither creates alone. */
export async function lockHierarchy(tx: Tx, companyId: number): Promise<Map<number, number | null>> {
  const rows = await categoriesOf(tx, companyId)
    .select(['categories.id', 'categories.parent_id'])
    .orderBy('categories.id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map(({ id, parent_id }) => [id, parent_id]))
}

/** The parent of a category, null at the top; undefined if the category does not exist. */
export async function readParentId(db: Db, companyId: number, ref: string): Promise<number | null | undefined> {
  if (!/^\d{1,15}$/.test(ref)) return undefined
  const row = await categoriesOf(db, companyId)
    .select('categories.parent_id')
    .where('categories.id', '=', Number(ref))
    .executeTakeFirst()
  return row?.parent_id
}

export async function readChildIds(db: Db, companyId: number, parentId: number): Promise<number[]> {
  const rows = await categoriesOf(db, companyId)
    .select('categories.id')
    .where('categories.parent_id', '=', parentId)
    .execute()
  return rows.map(({ id }) => id)
}

/** The ids that are categories of the company, locked until the transaction ends. */
export async function findCategoryIds(tx: Tx, companyId: number, ids: number[]): Promise<Set<number>> {
  const rows = await categoriesOf(tx, companyId)
    .select('categories.id')
    .where('categories.id', '=', anyOf(ids))
    .forKeyShare()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The titles of categories with those of their parents, from the top down. */
export async function readCategoryPaths(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Columns<'categories', 'id' | 'title'>>`with recursive path as (
      select id as leaf, parent_id, title, 0 as height from categories
      where company_id = ${companyId} and id = ${anyOf(ids)}
      union all
      select path.leaf, parent.parent_id, parent.title, path.height + 1 from path
      join categories as parent on parent.company_id = ${companyId} and parent.id = path.parent_id
    ) select leaf as id, title from path order by leaf, height desc`.execute(db)
  const paths = Map.groupBy(rows, ({ id }) => id)
  return new Map([...paths].map(([id, path]) => [id, path.map(({ title }) => title)]))
}
