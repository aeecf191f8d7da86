import type { Tx } from '#platform/db/database.ts'

export type NewCompany = { company_name: string; email: string; country_code: string; currency: string }

/** Opens a company: the tenant that everything else belongs to. */
export async function createCompany(tx: Tx, company: NewCompany, now: Date): Promise<{ id: number }> {
  return tx
    .insertInto('companies')
    .values({ ...company, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
}
