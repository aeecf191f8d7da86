import { sql } from 'kysely'
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
