import { randomBytes, toBase64Url } from './encoding.ts'
import { UnauthorizedError } from './errors.ts'
import { createListing, type Listing, nextQuery } from './listing.ts'
import { type AccessTokens, type App, atBase, createAccessTokens, type TokenStorage } from './oauth.ts'
import type { CallOptions, Entry, RequestFunction, Resources } from './operations.ts'
import { RESOURCES } from './resources.gen.ts'
import { type Answer, createTransport, send, type Transport, type TransportOptions } from './transport.ts'

/**
 * Access by a token of the app's own, or by the tokens of a grant, which the client renews. The service's own pages use the
 * session of the user who has signed in in the browser: its cookie goes along.
 */
export type Access =
  | { baseUrl: string; accessToken: string | (() => string | Promise<string>) }
  | (App & { storage: TokenStorage })
  | { baseUrl: string; session: true }

export type ClientOptions = Access & TransportOptions

/** Sends a request as it is, with the access token, and returns the answer as it is: for bytes. Nothing is repeated. */
export type FetchFunction = (path: string, init?: RequestInit) => Promise<Response>

export type Client = Resources & { readonly request: RequestFunction; readonly fetch: FetchFunction }

/** The whole API as typed functions: `licet.orders.list()`, `licet.products.create({ … })`, `licet.request(…)`. */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options)
  const access = 'session' in options ? 'session' : accessTokensOf(transport, options)
  const call = createCall(transport, options.baseUrl, access)
  const request = async (method: string, path: string, content: RequestContent = {}) => {
    const { params = {}, query, body, ...rest } = content
    const filled = filledPath(path, (name) => params[name])
    return (await call({ method, path: filled, query: queryText(query), body, options: rest })).body
  }
  // The table of the resources and their types come from the same document, so one has every method of the other.
  return {
    ...buildResources(RESOURCES, call),
    request,
    fetch: createFetch(transport, options.baseUrl, access),
  } as unknown as Client
}

type RequestContent = CallOptions & { params?: Record<string, unknown>; query?: Query; body?: unknown }

type Query = Record<string, unknown>

type Outgoing = { method: string; path: string; query: string; body?: unknown; options: CallOptions }

type Call = (outgoing: Outgoing) => Promise<Answer>

function accessTokensOf(transport: Transport, options: Exclude<ClientOptions, { session: true }>): AccessTokens {
  if ('storage' in options) return createAccessTokens(transport, options, options.storage)
  const { accessToken } = options
  return async () => (typeof accessToken === 'string' ? accessToken : accessToken())
}

/** Requests that can be sent twice without harm: those that read, and those that the service does once for their key. */
function isRepeatable({ method, headers }: { method: string; headers: Record<string, string> }): boolean {
  return method === 'GET' || 'idempotency-key' in headers
}

/** Signed-in users find below `/admin/api` what apps find below `/api`. */
const forUsers = (path: string) => path.replace(/^\/api\//, '/admin/api/')

function createCall(transport: Transport, baseUrl: string, access: AccessTokens | 'session'): Call {
  return async ({ method, path, query, body, options: { signal, idempotencyKey, ifMatch, onHeaders } }) => {
    const key = method === 'POST' ? (idempotencyKey ?? toBase64Url(randomBytes(18))) : undefined
    const own = access === 'session' ? forUsers(path) : path
    const sendWith = async (accessToken?: string) => {
      const outgoing = {
        url: atBase(baseUrl, query === '' ? own : `${own}?${query}`),
        method,
        headers: {
          ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal,
      }
      const answer = await send(transport, outgoing, isRepeatable(outgoing))
      onHeaders?.(answer.headers)
      return answer
    }
    if (access === 'session') return sendWith()
    const accessToken = await access()
    try {
      return await sendWith(accessToken)
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
      const other = await access(accessToken)
      if (other === accessToken) throw error
      return sendWith(other)
    }
  }
}

function createFetch(transport: Transport, baseUrl: string, access: AccessTokens | 'session'): FetchFunction {
  return async (path, init = {}) => {
    if (access === 'session') return transport.fetch(atBase(baseUrl, forUsers(path)), init)
    const sendWith = (accessToken: string) => {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${accessToken}`)
      return transport.fetch(atBase(baseUrl, path), { ...init, headers })
    }
    const accessToken = await access()
    const response = await sendWith(accessToken)
    const other = response.status === 401 ? await access(accessToken) : accessToken
    return other === accessToken ? response : sendWith(other)
  }
}

type Table = { readonly [name: string]: Entry | Table }

function isEntry(part: Entry | Table): part is Entry {
  return typeof part.path === 'string'
}

function buildResources(table: Table, call: Call): object {
  return Object.fromEntries(
    Object.entries(table).map(([name, part]) => [
      name,
      isEntry(part) ? buildMethod(part, call) : buildResources(part, call),
    ]),
  )
}

/** A method takes the ids of its path, then the body or the query, then options. */
function buildMethod({ method, path, body: bodyKey, answer: key, isList }: Entry, call: Call) {
  return (...args: unknown[]): Listing<unknown> | Promise<unknown> => {
    const filled = filledPath(path, () => args.shift())
    const given = bodyKey === undefined ? undefined : args.shift()
    const body = bodyKey && given !== undefined ? { [bodyKey]: given } : given
    const reads = method === 'GET' ? (args.shift() as Query | undefined) : undefined
    const { query = reads, ...options } = (args.shift() ?? {}) as CallOptions & { query?: Query }
    if (isList) return listAt(filled, { limit: PAGE_SIZE, ...query }, key, call, options)
    return call({ method, path: filled, query: queryText(query), body, options }).then(({ body }) =>
      unwrapped(body, key),
    )
  }
}

/** The largest page that the service gives. */
const PAGE_SIZE = 250

function listAt(
  path: string,
  query: Query,
  key: string | undefined,
  call: Call,
  options: CallOptions,
): Listing<unknown> {
  return createListing(async (next = queryText(query)) => {
    const { headers, body } = await call({ method: 'GET', path, query: next, options })
    const found = unwrapped(body, key)
    return { entries: Array.isArray(found) ? found : singleEntry(body), next: nextQuery(headers) }
  })
}

/** Some lists answer with one object or none, for example the company itself where it has no other companies. */
function singleEntry(body: unknown): unknown[] {
  return Object.values(body ?? {}).slice(0, 1)
}

function unwrapped(body: unknown, key: string | undefined): unknown {
  const fields: Record<string, unknown> = { ...(body as object) }
  if (key !== undefined) return fields[key]
  return Object.keys(fields).length === 0 ? undefined : body
}

/** A missing id would ask for another path, and so would one that the URL takes for a step up. */
function filledPath(path: string, parameter: (name: string) => unknown): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(parameter(name) ?? '')
    if (text === '' || text === '.' || text === '..') throw new TypeError(`${path} needs ${name}.`)
    return encodeURIComponent(text)
  })
}

function queryText(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
}
