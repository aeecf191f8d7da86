import { recordChange } from '#history/audit/commands.ts'
import { saveCompany } from '#identity/companies/commands.ts'
import type { CompanyState } from '#identity/companies/state.ts'
import type { Tx } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import type { Session } from '#platform/identity/session.ts'
import { ownSecondFactorOff } from '../errors.ts'
import { hasSecondFactor } from '../second-factor/queries.ts'
import { lockSignInSettings } from './queries.ts'
import type { SignInSettingsInput } from './schema.ts'

/** Changes what a company asks of everybody who signs in. It holds from the next request of everybody. */
export async function updateSignInSettings(
  tx: Tx,
  { session, author }: { session: Session; author: Author },
  { second_factor_required }: SignInSettingsInput,
  now: Date,
): Promise<CompanyState> {
  const before = await lockSignInSettings(tx, author.companyId)
  if (second_factor_required === undefined || second_factor_required === before.second_factor_required) return before
  if (second_factor_required && !(await hasSecondFactor(tx, session)))
    throw validationFailed('second_factor_required', ownSecondFactorOff())
  const after = { ...before, second_factor_required, updated_at: now }
  await saveCompany(tx, after)
  await recordChange(tx, author, 'company changed', `second_factor_required ${second_factor_required}`, now)
  return after
}
