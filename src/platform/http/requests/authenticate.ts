import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Clock } from '../../clock.ts'
import { toError } from '../../errors/to-error.ts'
import type { Caller } from '../../identity/caller.ts'
import {
  accessTokenExpired,
  accessTokenInvalid,
  accessTokenRequired,
  scopeMissing,
  tooManyRequests,
} from '../problems.ts'
import { queryText } from './forms.ts'
import { createRateLimiter, type RateLimit } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The scopes that a route needs. A token with another one gives access to nothing yet. */
    servedScopes(): ReadonlySet<string>
    /** Counts a request of a caller against the rate limit, and refuses it above the limit. */
    limitRate(reply: FastifyReply, rateKey: string): void
    /** Whether the token of a request that is still under way would be admitted now. */
    isStillAdmitted(request: FastifyRequest): Promise<boolean>
  }
  interface FastifyRequest {
    caller: Caller
  }
  interface FastifyContextConfig {
    /** The scopes of which a caller needs one. */
    scope?: string | readonly string[]
    /** Takes a token of any scope, so that no scope is served by it. */
    anyScope?: true
    /** Only for people who have signed in: the pages check that themselves. */
    session?: true
    /** Only for signed-in users who have all of these permissions: the routes for the service's own pages. */
    permissions?: readonly string[]
    /** Anyone may call. Each such route is listed in the route audit. */
    public?: true
  }
}

export type FindCaller = (token: string) => Promise<Caller | undefined>

/** How long a caller is remembered without asking the database: the longest that a lost notice of revocation costs. */
const REMEMBER_MS = 1000
const REMEMBERED_MAX = 10_000

type Remembered = { caller: Caller; rateKey: string; until: number }

export type Authentication = {
  findCaller: FindCaller
  /** Calls back when an access may have been revoked. */
  whenRevoked: (forget: () => void) => void
  rateLimit: RateLimit
  clock: Clock
}

/** Each customer of an app has a limit of their own, or a few could use up what all share. */
function rateKeyOf({ appId, companyId, customerId }: Caller): string {
  return customerId === null ? `${appId}:${companyId}` : `${appId}:${companyId}:${customerId}`
}

function tokenInHeader({ headers: { authorization } }: FastifyRequest): string | undefined {
  return authorization !== undefined && /^Bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined
}

function tokenOf(request: FastifyRequest): string | undefined {
  return tokenInHeader(request) ?? (queryText(request, 'access_token') || undefined)
}

/** The token from the header or, for clients that cannot set one, from the query. */
function presentedToken(request: FastifyRequest, reply: FastifyReply): string | undefined {
  // RFC 6750, section 2.3: a shared cache would keep the answer under an address that others may ask for.
  if (tokenInHeader(request) === undefined) reply.raw.setHeader('Cache-Control', 'private')
  return tokenOf(request)
}

/** Makes every route either declared public or reachable only with a token of its scope. */
export function authenticate(
  app: FastifyInstance,
  { findCaller, whenRevoked, rateLimit, clock }: Authentication,
): void {
  const remembered = new Map<string, Remembered>()
  whenRevoked(() => remembered.clear())
  const takeToken = createRateLimiter(rateLimit)

  async function lookUp(token: string): Promise<Remembered> {
    const caller = await findCaller(token)
    if (caller === undefined) throw accessTokenInvalid()
    const entry = { caller, rateKey: rateKeyOf(caller), until: Date.now() + REMEMBER_MS }
    if (remembered.size >= REMEMBERED_MAX) remembered.clear()
    remembered.set(token, entry)
    return entry
  }

  function limitRate(reply: FastifyReply, rateKey: string): void {
    const taken = takeToken(rateKey, performance.now())
    reply.raw.setHeader('RateLimit-Limit', rateLimit.burst)
    reply.raw.setHeader('RateLimit-Remaining', taken.remaining)
    reply.raw.setHeader('RateLimit-Reset', taken.resetSeconds)
    if (!taken.allowed) throw tooManyRequests(taken.retrySeconds)
  }
  app.decorate('limitRate', limitRate)

  app.decorate('isStillAdmitted', async (request: FastifyRequest) => {
    const token = tokenOf(request) ?? ''
    const known = remembered.get(token)
    const { expiresAt } =
      known !== undefined && known.until > Date.now()
        ? known.caller
        : ((await findCaller(token)) ?? { expiresAt: new Date(0) })
    return expiresAt > clock.now()
  })

  function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, rateKey }: Remembered,
    scope: string | readonly string[],
  ): void {
    if (caller.expiresAt <= clock.now()) throw accessTokenExpired()
    limitRate(reply, rateKey)
    const needed = typeof scope === 'string' ? [scope] : scope
    if (!needed.some((name) => caller.scopes.has(name))) throw scopeMissing(needed)
    request.caller = caller
  }

  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  app.decorate('servedScopes', () => {
    const needed = routes.filter(({ config }) => config?.anyScope !== true).map(({ config }) => config?.scope ?? [])
    return new Set(needed.flat())
  })
  app.addHook('onReady', async () => {
    for (const { config, method, url } of routes) {
      const { scope, permissions, session, public: isPublic } = config ?? {}
      if (scope === undefined && permissions === undefined && session !== true && isPublic !== true)
        throw new Error(`${method} ${url} names no scope or permission, asks for no session and is not public`)
    }
  })

  // A remembered token is admitted without a promise, because this hook runs for every request.
  app.addHook('onRequest', (request, reply, done) => {
    const scope = request.routeOptions.config.scope
    if (scope === undefined) return done()
    const token = presentedToken(request, reply)
    if (token === undefined) return done(accessTokenRequired())
    const entry = remembered.get(token)
    if (entry !== undefined && entry.until > Date.now()) {
      try {
        admit(request, reply, entry, scope)
      } catch (error) {
        return done(toError(error))
      }
      return done()
    }
    lookUp(token)
      .then((found) => admit(request, reply, found, scope))
      .then(() => done(), done)
  })
}
