import { sql } from 'kysely'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'

/** Remembers the ids of imported things by their keys, for the next import of the same file. */
export async function rememberImported(
  tx: Tx,
  companyId: number,
  kind: string,
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  if (ids.size === 0) return
  await sql`insert into import_keys (company_id, kind, key, id)
    select ${companyId}, ${kind}, imported.key, imported.id
    from unnest(${[...ids.keys()]}::text[], ${[...ids.values()]}::bigint[]) as imported (key, id)
    on conflict (company_id, kind, key) do update set id = excluded.id`.execute(tx)
}

/** The tables of what is remembered, by kind. Other things are found by a name of their own. */
const REMEMBERED = {
  categories: 'categories',
  licenses: 'licenses',
  prices: 'prices',
  products: 'products',
  sales: 'redemption_codes',
} as const

/** Deletes a batch of keys whose thing was deleted since, and returns how many. */
export async function deleteVoidKeys(tx: Tx): Promise<number> {
  let deleted = 0
  for (const [kind, table] of Object.entries(REMEMBERED)) {
    const isVoid = sql`import_keys.kind = ${kind} and not exists (select from ${sql.table(table)} as thing
      where thing.company_id = import_keys.company_id and thing.id = import_keys.id)`
    deleted += await deleteBatch(tx, 'import_keys', isVoid)
  }
  return deleted
}
