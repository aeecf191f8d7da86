import { randomBytes, sha256, toBase64Url, utf8 } from './encoding.ts'
import { AuthorizationRequiredError } from './errors.ts'
import { createTransport, send, sleep, type Transport, type TransportOptions } from './transport.ts'

/** An app as it is registered with the service. */
export type App = {
  baseUrl: string
  clientId: string
  /** Never in a browser or on a device: whoever has the app could read it there. */
  clientSecret?: string
}

/** What has to be kept of a grant, for example as JSON in a database. */
export type Tokens = {
  accessToken: string
  refreshToken: string
  /** In milliseconds since 1970. */
  expiresAt: number
  scope: string
  companyId?: number
}

/**
 * Where an app keeps the tokens of a grant. `save` has to be done when its promise is: the old refresh token is worth
 * nothing by then, and the new one is the only way to the next access token.
 */
export type TokenStorage = {
  load(): Tokens | undefined | Promise<Tokens | undefined>
  save(tokens: Tokens): void | Promise<void>
}

/** What an app has to remember, for example in the session of the user, until the user comes back from the prompt. */
export type PendingAuthorization = { state: string; codeVerifier: string; redirectUri: string }

function randomText(): string {
  return withoutPadding(randomBytes(32))
}

function withoutPadding(bytes: Uint8Array): string {
  return toBase64Url(bytes).replaceAll('=', '')
}

/** The address of the prompt to which the app sends its user, and what to keep until the user comes back. */
export async function authorizeUrl(
  { baseUrl, clientId }: App,
  { redirectUri, scope, state = randomText() }: { redirectUri: string; scope: readonly string[]; state?: string },
): Promise<{ url: string; pending: PendingAuthorization }> {
  const codeVerifier = randomText()
  const query = new URLSearchParams({
    client_id: clientId,
    scope: scope.join(','),
    access_type: 'offline',
    redirect_uri: redirectUri,
    state,
    code_challenge: withoutPadding(await sha256(utf8(codeVerifier))),
    code_challenge_method: 'S256',
  })
  return { url: `${atBase(baseUrl, '/oauth2/auth')}?${query}`, pending: { state, codeVerifier, redirectUri } }
}

/** The address of a path, also where the service lies below a path of another site. */
export function atBase(baseUrl: string, path: string): string {
  return (baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl) + path
}

/**
 * Exchanges the code in the address that the user came back to. Save the tokens before you use them: the code is good
 * for one exchange.
 */
export async function exchangeCode(
  app: App,
  returnedTo: string | URL,
  { state, codeVerifier, redirectUri }: PendingAuthorization,
  options: TransportOptions = {},
): Promise<Tokens> {
  const query = new URL(returnedTo, redirectUri).searchParams
  const code = query.get('code')
  const error = query.get('error')
  if (query.get('state') !== state)
    throw refusal('state_differs', 'The state of the redirect is not the one that the prompt was opened with.')
  if (code === null)
    throw refusal(error ?? 'code_missing', query.get('error_description') ?? `The prompt ended with ${error}.`)
  const tokens = await exchange(createTransport(options), app, { refresh_token: code, code_verifier: codeVerifier })
  const companyId = Number(query.get('companyid'))
  return companyId > 0 ? { ...tokens, companyId } : tokens
}

function refusal(code: string, message: string): AuthorizationRequiredError {
  const none = { errors: {}, fieldErrors: {}, requestId: undefined, retryAfterSeconds: undefined, body: undefined }
  return new AuthorizationRequiredError(message, { status: 0, code, reason: code, ...none })
}

type TokenAnswer = { access_token: string; refresh_token: string; expires_in: number; scope: string }

/**
 * One exchange at the service. It is repeated after a network failure: if the first request was never received, the
 * second one succeeds. If only its answer was lost, the second one is refused, and the user has to allow the app again.
 */
async function exchange(
  transport: Transport,
  { baseUrl, clientId, clientSecret }: App,
  parameters: Record<string, string>,
): Promise<Tokens> {
  const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, ...parameters })
  if (clientSecret !== undefined) form.set('client_secret', clientSecret)
  const startedAt = Date.now()
  const { body } = await send(
    transport,
    {
      url: atBase(baseUrl, '/token'),
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    },
    true,
  )
  const { access_token, refresh_token, expires_in, scope } = body as TokenAnswer
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: startedAt + expires_in * 1000,
    scope,
  }
}

/** An access token to send, never the one that was just refused. */
export type AccessTokens = (refused?: string) => Promise<string>

/** A token that is about to expire is renewed, because the request that carries it takes time too. */
const EARLY_MS = 60_000

/**
 * Keeps the access token of a grant fresh, with one exchange at a time however many requests wait for it. The new refresh
 * token is saved before it is used. If saving fails, the next request tries it again, and exchanges nothing.
 */
export function createAccessTokens(transport: Transport, app: App, storage: TokenStorage): AccessTokens {
  let current: Tokens | undefined
  let unsaved: Tokens | undefined
  let renewing: Promise<Tokens> | undefined

  const isFresh = (tokens: Tokens, refused?: string) =>
    tokens.accessToken !== refused && tokens.expiresAt - EARLY_MS > Date.now()

  async function renewed(refused?: string): Promise<Tokens> {
    if (unsaved === undefined) {
      const stored = await storage.load()
      if (stored === undefined)
        throw refusal('tokens_missing', 'The storage has no tokens: send the user to the prompt.')
      if (isFresh(stored, refused)) return stored
      const { accessToken: _, ...kept } = stored
      try {
        unsaved = { ...kept, ...(await exchange(transport, app, { refresh_token: stored.refreshToken })) }
      } catch (error) {
        if (error instanceof AuthorizationRequiredError) return await savedByAnother(stored, error)
        throw error
      }
    }
    const tokens = unsaved
    await storage.save(tokens)
    unsaved = undefined
    return tokens
  }

  /**
   * Another process with the same storage may have exchanged the refresh token a moment before. The service refuses the
   * second exchange, and for a minute does nothing else about it. So the tokens of the first one appear in the storage.
   */
  async function savedByAnother({ refreshToken }: Tokens, error: Error): Promise<Tokens> {
    for (const delayMs of [0, 250, 1000]) {
      await sleep(delayMs)
      const stored = await storage.load()
      if (stored !== undefined && stored.refreshToken !== refreshToken) return stored
    }
    throw error
  }

  return async (refused) => {
    if (current !== undefined && isFresh(current, refused)) return current.accessToken
    renewing ??= renewed(refused).finally(() => {
      renewing = undefined
    })
    current = await renewing
    return current.accessToken
  }
}
