import { readScopes } from '../rules.ts'
import { isForCustomer, type Scope } from '../scopes.facts.ts'

/** The request of an app at the prompt. */
export type PromptRequest = {
  clientId: string
  redirectUri: string
  scopes: Scope[]
  state: string | undefined
  responseType: string | undefined
  codeChallenge: string | undefined
  codeChallengeMethod: string | undefined
  /** The company or the shop whose customers the app asks. */
  companyId: string | undefined
  themeSettingId: string | undefined
}

/** A user cannot grant what only a customer can: beside other scopes, that one is dropped. Alone it asks a customer. */
export function grantedTogether(scopes: readonly Scope[]): Scope[] {
  const forUsers = scopes.filter((scope) => !isForCustomer(scope))
  return forUsers.length === 0 ? [...scopes] : forUsers
}

/** Does the app ask a customer, and not a user? */
export function asksCustomer({ scopes }: Pick<PromptRequest, 'scopes'>): boolean {
  return scopes.length > 0 && scopes.every(isForCustomer)
}

const PARAMETERS = [
  'client_id',
  'scope',
  'state',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'company_id',
  'theme_setting_id',
]

/** Reads each name once: a parameter that is sent twice is ambiguous (RFC 6749, 3.1). */
export function isAmbiguous(query: string): boolean {
  const names = [...new URLSearchParams(query).keys()].filter((name) => PARAMETERS.includes(name))
  return new Set(names).size !== names.length
}

/**
 * The redirect URIs that a query can mean. Old clients append one that has a query of its own unencoded, as the last
 * parameter: then the rest of the query belongs to it.
 */
export function possibleRedirectUris(query: string): string[] {
  const plain = new URLSearchParams(query).getAll('redirect_uri')
  const at = query.search(/(^|&)redirect_uri=/)
  if (at === -1) return plain
  const rest = query.slice(query.indexOf('=', at) + 1)
  return [rest, decoded(rest), ...plain]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads the request once its redirect URI is known: parameters that belong to that URI are not read. */
export function readPromptRequest(query: string, redirectUri: string): PromptRequest {
  const own = isWholeRest(query, redirectUri) ? query.slice(0, query.search(/(^|&)redirect_uri=/)) : query
  const parameters = new URLSearchParams(own)
  const get = (name: string) => parameters.get(name) ?? undefined
  return {
    clientId: get('client_id') ?? '',
    redirectUri,
    scopes: readScopes(get('scope') ?? ''),
    state: get('state'),
    responseType: get('response_type'),
    codeChallenge: get('code_challenge'),
    codeChallengeMethod: get('code_challenge_method'),
    companyId: get('company_id'),
    themeSettingId: get('theme_setting_id'),
  }
}

function isWholeRest(query: string, redirectUri: string): boolean {
  const [plain] = new URLSearchParams(query).getAll('redirect_uri')
  return plain !== redirectUri
}

/** The errors of a request whose client and redirect URI are known, in the order of RFC 6749 and RFC 7636. */
export function promptError({
  responseType,
  scopes,
  codeChallenge,
  codeChallengeMethod,
}: PromptRequest): { error: string; error_description: string } | undefined {
  if (responseType !== undefined && responseType !== 'code')
    return { error: 'unsupported_response_type', error_description: 'response_type must be code' }
  if (codeChallenge === undefined && codeChallengeMethod !== undefined)
    return { error: 'invalid_request', error_description: 'code_challenge is missing' }
  if (codeChallenge !== undefined && codeChallengeMethod !== 'S256')
    return { error: 'invalid_request', error_description: 'code_challenge_method must be S256' }
  if (codeChallenge !== undefined && !/^[\w-]{43}$/.test(codeChallenge))
    return { error: 'invalid_request', error_description: 'code_challenge is not one of S256' }
  if (scopes.length === 0) return { error: 'invalid_scope', error_description: 'no known scope is asked for' }
  return undefined
}
