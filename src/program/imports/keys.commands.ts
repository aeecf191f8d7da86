import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'

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

type KeyPlace = Columns<'import_keys', 'company_id' | 'kind' | 'key'>

/** How many keys are looked at in one round, and where the first begins. */
const LOOKED_AT = 5000
export const BEFORE_ALL_KEYS: KeyPlace = { company_id: 0, kind: '', key: '' }

/** Looks at the keys behind a place, and deletes those whose thing was deleted since. Returns where it stopped. */
export async function deleteVoidKeys(tx: Tx, after: KeyPlace): Promise<KeyPlace | undefined> {
  const isVoid = Object.entries(REMEMBERED).map(
    ([kind, table]) => sql`kind = ${sql.lit(kind)} and not exists (select from ${sql.table(table)} as thing
      where thing.company_id = looked_at.company_id and thing.id = looked_at.id)`,
  )
  const { rows } = await sql<Columns<'import_keys', 'company_id' | 'kind' | 'key'>>`with looked_at as materialized (
      select company_id, kind, key, id from import_keys
      where (company_id, kind, key) > (${after.company_id}::bigint, ${after.kind}, ${after.key})
      order by company_id, kind, key limit ${sql.lit(LOOKED_AT)}
    ), deleted as (
      delete from import_keys where (company_id, kind, key) in (
        select looked_at.company_id, looked_at.kind, looked_at.key from looked_at where ${sql.join(isVoid, sql` or `)})
    )
    select company_id, kind, key from looked_at order by company_id desc, kind desc, key desc limit 1`.execute(tx)
  return rows[0]
}
