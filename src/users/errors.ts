import { defineProblem, type Problem, validationFailed } from '#platform/problem.ts'

export const userNotFound = defineProblem<string>('not_found', 404, (ref) => `There is no user ${ref}.`)

/** E-mail addresses are unique on the whole platform, so that whoever signs in is one person. */
export function emailTaken(): Problem {
  return validationFailed({ email: ['is the address of a user already'] })
}

export const actorDisabled = defineProblem(
  'forbidden',
  403,
  () => 'The user behind this access token is disabled, and may not manage users.',
)

export const mayNotManageUsers = defineProblem(
  'forbidden',
  403,
  () => 'The user behind this access token may not manage users: that needs the permission create_users.',
)

/** Whoever gets the mail that resets a password owns the account. */
export const emailFixed = defineProblem<string>(
  'conflict',
  409,
  (email) => `The e-mail address of ${email} can't be changed any more, because the invitation was accepted.`,
)

export const notAccepted = defineProblem<string>(
  'conflict',
  409,
  (email) => `${email} has not accepted the invitation yet, and can't be enabled before that.`,
)

export const lastManager = defineProblem<string>(
  'conflict',
  409,
  (email) => `${email} is the last enabled user with the permission create_users: give it to another one first.`,
)
