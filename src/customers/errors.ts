import { defineProblem, Problem, validationFailed } from '#platform/problem.ts'

export const customerNotFound = defineProblem<string>('not_found', 404, (ref) => `There is no customer ${ref}.`)

/** An account is one per e-mail address, so that whoever signs in is one person. */
export function emailTaken(): Problem {
  return validationFailed({ email: ['is the address of a customer already'] })
}

export function isEmailTaken(error: unknown): boolean {
  return error instanceof Problem && error.fields?.email?.[0] === emailTaken().fields?.email?.[0]
}

/** Says no more than the check of a password does. */
export function passwordDiffers(): Problem {
  return validationFailed({ password: ['is not the one of the customer with this e-mail address'] })
}

/** Otherwise one shop could walk into what another sold. */
export const accountShared = defineProblem<'e-mail address' | 'password'>(
  'conflict',
  409,
  (what) => `Other companies know this customer too: only the customer can change the ${what}.`,
)

export const accountChanged = defineProblem(
  'conflict',
  409,
  () => 'Somebody else has just added or changed this customer: try again.',
)

export function tooManyChecks(seconds: number): Problem {
  const wait = `${seconds} second${seconds === 1 ? '' : 's'}`
  return new Problem('rate_limited', 429, `There were too many attempts: try again in ${wait}.`, {
    headers: { 'retry-after': String(seconds) },
  })
}
