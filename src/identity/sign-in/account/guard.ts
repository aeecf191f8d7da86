import { attempt, forgiveAttempt, type LimitDependencies, passwordLimit } from '#identity/attempts/guard.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Session } from '#platform/identity/session.ts'
import { passwordWrong, tooManyPasswords } from '../errors.ts'
import { isOwnPassword } from '../queries.ts'

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
