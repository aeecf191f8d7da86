import type { Db } from '#platform/db/database.ts'

export function findCompany(db: Db, id: number): Promise<{ id: number; company_name: string } | undefined> {
  return db.selectFrom('companies').select(['id', 'company_name']).where('id', '=', id).executeTakeFirst()
}

export async function readCompanyIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('companies').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}
