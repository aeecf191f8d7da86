import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'

/** A digest of every table: two snapshots are equal if nothing was changed in between. */
export async function snapshot(db: Db): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  if (tables.rows.length < 10) throw new Error('saw hardly any table')
  const digests: [string, string][] = []
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} as t order by 1`.execute(
      db,
    )
    digests.push([name, hash('sha256', JSON.stringify(rows))])
  }
  return Object.fromEntries(digests)
}
