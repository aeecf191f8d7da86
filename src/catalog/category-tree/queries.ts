import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf } from '#platform/db/expressions.ts'

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
