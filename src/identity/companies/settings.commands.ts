import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import type { Written } from '#platform/wire/written.ts'
import { saveCompany } from './commands.ts'
import { getCompanyDocument, lockCompany } from './queries.ts'
import { changeCompany, changedSettings, changeSettings } from './rules.ts'
import type { CompanyInput, OperatorSettings } from './schema.ts'
import type { CompanyState } from './state.ts'

/** Changes a company, also what apps only read of it. Settings apply to new orders and to the next visit of a shop. */
export async function updateSettings(
  tx: Tx,
  author: Author,
  input: CompanyInput & OperatorSettings,
  now: Date,
): Promise<Written<CompanyState>> {
  const ref = String(author.companyId)
  const before = await lockCompany(tx, author.companyId, ref)
  const after = changeSettings(changeCompany(before, input, now), input, now)
  const changes = changedSettings(before, after)
  if (changes.length > 0) {
    await saveCompany(tx, after)
    await recordChange(tx, author, 'company changed', changes.join(', '), now)
  }
  return { state: after, document: await getCompanyDocument(tx, author.companyId, ref) }
}
