import { Problem, problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Customers')

export const customerNotFound = defineProblem<string>('customer_not_found', {
  code: 'not_found',
  message: (ref) => `There is no customer ${ref}.`,
  when: 'The customer does not exist, was deleted, or is unknown to this company.',
  remedy: 'Read the list of customers, or search by email address.',
})

/** Email addresses are unique on the whole platform, because people sign in with them. */
export const emailTaken = defineFault('customer_email_taken', {
  message: 'is the address of a customer already',
  when: 'The company has a customer with this email address, or the new address belongs to another account.',
  remedy: 'Find the customer with `GET /api/customers/search.json?query=email:…`, and use that one.',
})

export function isEmailTaken(error: unknown): boolean {
  return error instanceof Problem && error.reason === emailTaken().refusal.reason
}

/** The message reveals no more than a password check does. */
export const passwordDiffers = defineFault('customer_password_wrong', {
  message: 'is not the one of the customer with this email address',
  when: 'The email address has an account on the platform already, and its password is another.',
  remedy: 'Ask the customer for the password of the account, or offer to reset it.',
})

export const confirmationDiffers = defineFault('password_confirmation_differs', {
  message: 'is not the same as the password',
  when: '`password` and `password_confirmation` differ.',
  remedy: 'Ask the customer to type both again.',
})

export const neededForCheck = defineFault('password_check_incomplete', {
  message: 'is required to check a password',
  when: '`GET /api/customers.json` has an email address without a password, or a password without an email address.',
  remedy: 'Send both to check a password, or none of them to list customers.',
})

/** Otherwise one shop could take over purchases from another. */
export const accountShared = defineProblem<'email address' | 'password'>('customer_account_shared', {
  code: 'conflict',
  message: (what) => `Other companies know this customer too: only the customer can change the ${what}.`,
  when: 'A company changes email address or password of a customer whom other companies know too.',
  remedy:
    'Ask the customer to follow the link that the service mails, at most three times a day. Without a mail server the operator finds it with `licet mails`.',
})

export const stateShared = defineProblem('customer_state_shared', {
  code: 'conflict',
  message:
    'Other companies know this customer too: only the operator of the service can disable or enable the account.',
  when: 'A company disables or enables a customer whom other companies know too.',
  remedy: 'Delete the customer to end the relation to your company, or ask the operator (`licet customer disable`).',
})

export const accountChanged = defineProblem('customer_changed_meanwhile', {
  code: 'conflict',
  message: 'Somebody else has just added or changed this customer: try again.',
  when: 'Two requests added or changed the same customer at the same time.',
  remedy: 'Send the request again.',
})

/** Was the customer added or changed by another request at the same time? */
export function isMeanwhileChanged(error: unknown): boolean {
  return isEmailTaken(error) || (error instanceof Problem && error.reason === accountChanged().reason)
}

export const tooManyChecks = defineProblem<number>('too_many_password_checks', {
  code: 'rate_limited',
  message: (seconds) => `There were too many attempts: try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
  when: 'Too many wrong passwords were sent for this email address or by this company.',
  remedy: 'Wait for `Retry-After` seconds, and ask the customer for the right password.',
})
