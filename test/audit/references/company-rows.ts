import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'

/** The tables of companies, and the accounts of customers, which companies share. */
async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and column_name = 'company_id' and table_type = 'BASE TABLE' order by 1`.execute(db)
  if (rows.length < 80) throw new Error(`saw ${rows.length} tables of companies only`)
  return rows.map(({ name }) => name)
}

export type CompanyRows = () => Promise<Record<string, string>>

/** Reads a digest of every row that a company has, by table. Two are equal if nothing of it was changed in between. */
export async function companyRows(db: Db, companyId: number): Promise<CompanyRows> {
  const digest = sql`md5(string_agg(t::text, ' ' order by t::text))`
  const tables = (await tablesOf(db)).map(
    (name) =>
      sql`select ${sql.lit(name)} as name, ${digest} as digest from ${sql.table(name)} t where company_id = ${companyId}`,
  )
  const statement = sql<{ name: string; digest: string | null }>`${sql.join(tables, sql` union all `)}
    union all select 'companies', ${digest} from companies t where id = ${companyId}
    union all select 'customers', ${digest} from customers t
      where id in (select customer_id from customer_relations where company_id = ${companyId})`
  return async () => {
    const { rows } = await statement.execute(db)
    return Object.fromEntries(rows.map(({ name, digest }) => [name, digest ?? '']))
  }
}
