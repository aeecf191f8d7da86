import { createThemeSetting } from '#catalog/theme-settings/commands.ts'
import { createCompany } from '#identity/companies/commands.ts'
import type { NewCompany } from '#identity/companies/rules.ts'
import { createUser } from '#identity/users/commands.ts'
import type { NewUserInput } from '#identity/users/schema.ts'
import type { Tx } from '#platform/db/database.ts'

/** The hash is made before the transaction, because it is slow; null: the user has no password yet. */
export type FirstUser = NewUserInput & { passwordHash: string | null }

/** Creates a company with its first shop, under the company's name, and a user with all permissions. */
export async function openCompany(
  tx: Tx,
  company: NewCompany,
  user: FirstUser,
  now: Date,
): Promise<{ companyId: number; userId: number }> {
  const { id: companyId } = await createCompany(tx, company, now)
  const locales = [{ language_id: company.language ?? 'en', shop_name: company.company_name }]
  await createThemeSetting(tx, { companyId }, { locales }, '', now)
  const { id: userId } = await createUser(tx, { companyId, ...user }, now)
  return { companyId, userId }
}
