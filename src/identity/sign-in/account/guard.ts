import { attempt, codeLimit, forgiveAttempt, type LimitDependencies, passwordLimit } from '#identity/attempts/guard.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Session } from '#platform/identity/session.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { codeWrong, passwordWrong, tooManyPasswords } from '../errors.ts'
import { isOwnPassword } from '../queries.ts'
import { passSecondFactor } from '../second-factor/commands.ts'
import { hasSecondFactor } from '../second-factor/queries.ts'

/**
 * Asks for the password again before a change of how the user signs in. A person at an unlocked browser has no more guesses
 * than others.
 */
export async function requirePassword(limiting: LimitDependencies, session: Session, password: string): Promise<void> {
  const limits = [passwordLimit(session.userId)]
  const check = await attempt(limiting, limits, () => isOwnPassword(limiting.db, session, password))
  if (check.kind === 'wait') throw tooManyPasswords(check.seconds)
  if (!check.result) throw validationFailed('current_password', passwordWrong())
  await limiting.change((tx) => forgiveAttempt(tx, limits))
}

type Identity = { current_password: string; code?: string | undefined }

/** Asks for everything that a sign-in asks for: the password, and the second factor of a user who has one. */
export async function requireIdentity(
  limiting: LimitDependencies & { vault: Vault },
  session: Session,
  { current_password, code = '' }: Identity,
): Promise<void> {
  await requirePassword(limiting, session, current_password)
  if (!(await hasSecondFactor(limiting.db, session))) return
  const limits = [codeLimit(session.userId)]
  const check = await attempt(limiting, limits, () =>
    limiting.change((tx) => passSecondFactor(tx, session, code, limiting.vault, nowInSeconds(limiting.clock))),
  )
  if (check.kind === 'wait') throw tooManyPasswords(check.seconds)
  if (check.result === 'wrong' || check.result === 'unreadable') throw validationFailed('code', codeWrong())
  await limiting.change((tx) => forgiveAttempt(tx, limits))
}
