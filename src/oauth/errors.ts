import { defineProblem, Problem } from '#platform/problem.ts'

export const appNotFound = defineProblem<string>('not_found', 404, (clientId) => `There is no app ${clientId}.`)

/** What the prompt says of a request that can't be answered by a redirect: there is nobody whom it could trust to get it. */
export const badPrompt = defineProblem<string>('malformed', 400, (message) => message)

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'

/** A failure in the shape of RFC 6749, 5.2. `cause` is for the log and the audit alone. */
export class OAuthError extends Problem {
  readonly body: { error: OAuthErrorCode; error_description: string }

  constructor(error: OAuthErrorCode, description: string, headers: Record<string, string> = {}) {
    super(error, error === 'invalid_client' ? 401 : 400, description, { headers })
    this.body = { error, error_description: description }
  }
}
