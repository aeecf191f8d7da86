import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Users')

export const userNotFound = defineProblem<string>('user_not_found', {
  code: 'not_found',
  message: (ref) => `There is no user ${ref}.`,
  when: 'The user does not exist, or belongs to another company.',
  remedy: 'Read the list of users for their ids and tokens.',
})

/** A company learns only of its own users. */
export const emailTaken = defineFault('user_email_taken', {
  message: 'is the address of a user already',
  when: 'Another user of the company has this email address.',
  remedy: 'Ask for another email address.',
})

export const tooManyInvitations = defineProblem<number>('too_many_invitations', {
  code: 'rate_limited',
  message: (seconds) =>
    `Too many invitations were sent by this company or to this address: try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
  when: 'The company has sent 20 invitations within an hour, or three to this address within a day.',
  remedy: 'Wait for `Retry-After` seconds.',
})

export const passwordTooShort = defineFault<number>('password_too_short', {
  message: (minimum) => `is too short (the minimum is ${minimum} characters)`,
  when: 'A new password has too few characters.',
  remedy: 'Ask for a longer password.',
})

export const passwordTooLong = defineFault<number>('password_too_long', {
  message: (maximum) => `is too long (the maximum is ${maximum} characters)`,
  when: 'A new password has too many characters.',
  remedy: 'Ask for a shorter password.',
})

export const actorDisabled = defineProblem('token_user_disabled', {
  code: 'forbidden',
  message: 'The user behind this access token is disabled, and may not manage users.',
  when: 'The user behind the access token has been disabled.',
  remedy: 'Send another user of the company to the prompt.',
})

export const mayNotManageUsers = defineProblem('user_permission_missing', {
  code: 'forbidden',
  message: 'The user behind this access token may not manage users: that needs the permission create_users.',
  when: 'The user behind the access token may not invite and change users.',
  remedy: 'Give this user the permission `create_users`, or send another user to the prompt.',
})

export const alreadyAccepted = defineProblem<string>('invitation_accepted', {
  code: 'conflict',
  message: (email) => `${email} has accepted the invitation already.`,
  when: 'A user who has accepted the invitation is invited again.',
  remedy: 'Somebody who has lost the password asks for a new one at sign-in.',
})

/** The recipient of a reset mail can take over the account. */
export const emailFixed = defineProblem<string>('user_email_fixed', {
  code: 'conflict',
  message: (email) => `The email address of ${email} can't be changed any more, because the invitation was accepted.`,
  when: 'The user has accepted the invitation, and only the user decides about the address of the account.',
  remedy: 'Invite the person under the new address, and disable this user.',
})

export const notAccepted = defineProblem<string>('invitation_not_accepted', {
  code: 'conflict',
  message: (email) => `${email} has not accepted the invitation yet, and can't be enabled before that.`,
  when: 'The request enables a user who has not accepted the invitation.',
  remedy: 'Ask the person to follow the link in the invitation.',
})

export const lastManager = defineProblem<string>('last_user_manager', {
  code: 'conflict',
  message: (email) =>
    `${email} is the last enabled user with the permission create_users: give it to another one first.`,
  when: 'The change would leave the company without a user who can manage users.',
  remedy: 'Give another user the permission `create_users` first.',
})
