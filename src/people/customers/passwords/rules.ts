import type { Policy } from '#identity/attempts/rules.ts'
import { passwordFault } from '#identity/users/rules.ts'
import { fieldRequired } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { confirmationDiffers } from '../errors.ts'
import { type FieldPaths, OWN_PATHS } from '../rules.ts'

/** The limit for all checks of one company in one window: customers mistype now and then, a guesser has a list. */
export const COMPANY_CHECKS: Policy = { free: 200, longestSeconds: 60, forgetSeconds: 3600, forgives: 'itself' }

/** A busy shop always has some failures, so its count starts again this often. */
const WINDOW_SECONDS = 600

export function windowOf(now: Date): number {
  return Math.floor(now.getTime() / 1000 / WINDOW_SECONDS)
}

type Chosen = { password?: string | null; password_confirmation?: string | null }

/** Refuses a password that cannot be chosen. A missing password is not checked. */
export function assertChoosable({ password, password_confirmation }: Chosen, paths: FieldPaths = OWN_PATHS): void {
  const report = new FieldReport()
  if (typeof password === 'string') {
    const fault = passwordFault(password)
    if (fault !== undefined) report.add(paths.password, fault)
    if (typeof password_confirmation === 'string' && password_confirmation !== password)
      report.add(paths.password_confirmation, confirmationDiffers())
  } else if (typeof password_confirmation === 'string') {
    report.add(paths.password, fieldRequired())
  }
  report.throwIfAny()
}
