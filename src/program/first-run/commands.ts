import { sql } from 'kysely'
import { record } from '#history/audit/commands.ts'
import { hasCompanies } from '#identity/companies/queries.ts'
import { admit, type Tokens } from '#identity/sign-in/commands.ts'
import { useLink } from '#identity/users/links/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/identity/origin.ts'
import { openCompany } from './open-company.ts'

export type FirstRun = {
  token: string
  company_name: string
  country_code: string
  currency: string
  email: string
  /** The language in which the owner filled in the form: theirs, and the first one of the shop. */
  language: string
  passwordHash: string
}

/** Creates the first company with its first user and signs the user in; undefined if there is a company already. */
export async function openFirstCompany(
  tx: Tx,
  { token, passwordHash, ...details }: FirstRun,
  userAgent: string,
  origin: Origin,
  now: Date,
): Promise<Tokens | undefined> {
  await sql`lock table companies in share row exclusive mode`.execute(tx)
  if (await hasCompanies(tx)) return undefined
  if ((await useLink(tx, 'first run', token, now)) === undefined) return undefined
  const { email, language } = details
  const user = { email, passwordHash, language }
  const { companyId, userId } = await openCompany(tx, details, user, now)
  await record(tx, { companyId, userId, action: 'first run', subject: details.company_name }, origin, now)
  const signed = { company_id: companyId, id: userId }
  return admit(tx, signed, { userAgent, knownBrowser: undefined }, 'at the first run', origin, now)
}
