import { LicetError } from '@licet/client'
import { problemText } from '../ui/problem.tsx'
import { t } from '../words/words.ts'

/** What is wrong with the current password, in the reader's language; undefined if it is not about that. */
export function passwordProblem(error: Error | null): string | undefined {
  if (!(error instanceof LicetError)) return undefined
  if (error.fieldErrors.current_password !== undefined) return t('settings.password.wrong')
  if (error.reason === 'too_many_passwords') return t('settings.password.wait', { count: error.retryAfterSeconds ?? 1 })
  return undefined
}

/** What else went wrong. */
export function otherProblem(error: Error | null): string | undefined {
  return error === null || passwordProblem(error) !== undefined ? undefined : problemText(error)
}
