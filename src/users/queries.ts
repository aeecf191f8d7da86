import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'

/** The company's first user, who opened it. */
export function findFirstUser(db: Db, companyId: number): Promise<{ id: number; email: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('company_id', '=', companyId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** E-mail addresses are unique on the whole platform, whatever their case. */
export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  const { rows } = await sql<{
    taken: boolean
  }>`select exists (select from users where lower(email) = lower(${email})) as taken`.execute(db)
  return rows[0]?.taken === true
}
