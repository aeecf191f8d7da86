import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Apps and grants')

export const appNotFound = defineProblem<string>('app_not_found', {
  code: 'not_found',
  message: (ref) => `There is no app ${ref}.`,
  when: 'The app does not exist, or another company has registered it.',
  remedy: 'Read the list of the apps of your company.',
})

export const appNotAllowed = defineProblem<string>('app_permission_not_found', {
  code: 'not_found',
  message: (id) => `No app ${id} was let in.`,
  when: 'Neither the company nor its customers have let the app in, or it was removed.',
  remedy: 'Read the list of the apps that were let in.',
})

export const appNameInvalid = defineFault<number>('app_name_invalid', {
  message: (maximum) => `must have 1 to ${maximum} characters`,
  when: 'The name of an app is empty or too long.',
  remedy: 'Choose a short name that people recognise.',
})

export const redirectUriInvalid = defineFault('redirect_uri_invalid', {
  message: 'must be a whole https address without a fragment, or one on this machine',
  when: 'An app is registered with an address to return to that is not safe.',
  remedy: 'Use an https address, an address on the same machine, or one with the scheme of an app on a device.',
})

/** The prompt shows these as a page, because there is no redirect URI that it could trust. */
export const badPrompt = defineProblem<string>('authorization_request_invalid', {
  code: 'malformed',
  message: (sentence) => sentence,
  when: 'The prompt shows a page: the app sent the user with a wrong `client_id` or `redirect_uri`.',
  remedy: 'Compare both with the registration of the app.',
})

export const signedOutMeanwhile = defineProblem('signed_out_meanwhile', {
  code: 'malformed',
  message: 'You were signed out meanwhile: sign in and try again.',
  when: 'The session of the user ended while the prompt was open.',
  remedy: 'Sign in, and answer the prompt again.',
})

export const companyNotAllowed = defineProblem('company_not_selectable', {
  code: 'malformed',
  message: 'You cannot allow anything for this company: go back and choose another one.',
  when: 'The user answers the prompt for a company that this user cannot act for.',
  remedy: 'Choose one of the companies that the prompt lists.',
})

export const scopesNotAllowed = defineProblem('scopes_not_grantable', {
  code: 'malformed',
  message: 'Your account cannot allow what the app asks for: ask somebody in your company who may invite users.',
  when: 'The user may not give the app any of the scopes that it asks for.',
  remedy: 'Let a user with the permission `create_users` answer the prompt.',
})

export const scopesNotRegistered = defineProblem<string>('scopes_not_registered', {
  code: 'malformed',
  message: (app) => `${app} is not registered for what it asks for: tell the maker of the app.`,
  when: 'The app asks for scopes only that its registration does not name.',
  remedy: 'Ask for other scopes, or let the operator add them with `licet app change --scope`.',
})

export const clientIdInvalid = defineFault('client_id_invalid', {
  message:
    'must have 1 to 100 letters, digits, dots, colons, hyphens and underscores, and begin with a letter or a digit',
  when: 'An app is registered with a client id of its own that is not safe in an address or in a command.',
  remedy: 'Choose another client id, or leave it to the service.',
})

export const clientIdTaken = defineFault('client_id_taken', {
  message: 'is taken by another app',
  when: 'An app is registered with the client id of another app.',
  remedy: 'Choose another client id, or leave it to the service.',
})

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'

/** A failure in the shape of RFC 6749, 5.2, which has no reasons. `cause` is only for the log and the audit log. */
export class OAuthError extends Error {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: { error: OAuthErrorCode; error_description: string }

  constructor(error: OAuthErrorCode, description: string, headers: Record<string, string> = {}) {
    super(description)
    this.name = 'OAuthError'
    this.status = error === 'invalid_client' ? 401 : 400
    this.headers = headers
    this.body = { error, error_description: description }
  }
}
