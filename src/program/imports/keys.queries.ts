import type { Db } from '#platform/db/database.ts'
import { anyText } from '#platform/db/expressions.ts'

/** Every read of import keys starts here, so none can forget the company. */
function importKeysOf(db: Db, companyId: number) {
  return db.selectFrom('import_keys').where('import_keys.company_id', '=', companyId)
}

/** The ids of what earlier imports created under these keys. It may have been deleted since. */
export async function findImported(
  db: Db,
  companyId: number,
  kind: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await importKeysOf(db, companyId)
    .select(['import_keys.key', 'import_keys.id'])
    .where('import_keys.kind', '=', kind)
    .where('import_keys.key', '=', anyText(keys))
    .execute()
  return new Map(rows.map(({ key, id }) => [key, id]))
}
