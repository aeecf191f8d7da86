import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MachineClock } from '../../clock.ts'
import { permissionMissing } from '../../errors/errors.ts'
import { toError } from '../../errors/to-error.ts'
import { type Caller, missingPermission, type TokenCaller } from '../../identity/caller.ts'
import type { Permission } from '../../identity/permission.ts'
import {
  accessTokenExpired,
  accessTokenInvalid,
  accessTokenRequired,
  scopeMissing,
  tooManyRequests,
} from '../problems.ts'
import { type Access, scopesOf } from './access.ts'
import type { IsShared } from './cors.ts'
import { queryText } from './forms.ts'
import { createRateLimiter, type RateLimit } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request of a caller against the rate limit, and refuses it above the limit. */
    limitRate(reply: FastifyReply, rateKey: string): void
    /** Whether the token of a request that is still under way would be admitted now. */
    isStillAdmitted(request: FastifyRequest): Promise<boolean>
  }
  interface FastifyRequest {
    caller: Caller
  }
}

export type FindCaller = (token: string) => Promise<TokenCaller | undefined>

/** How long a caller is remembered without asking the database: the longest that a lost notice of revocation costs. */
const REMEMBER_MS = 1000
const REMEMBERED_MAX = 10_000

type Remembered = { caller: TokenCaller; rateKey: string; until: number }

export type Authentication = {
  findCaller: FindCaller
  /** Calls back when an access may have been revoked. */
  whenRevoked: (forget: () => void) => void
  rateLimit: RateLimit
  clock: MachineClock
}

/** The caller of a route that only takes access tokens. */
export function tokenCallerOf({ caller }: FastifyRequest): TokenCaller {
  if (caller.kind === 'user') throw new Error('a route for apps is open to users')
  return caller
}

/** Each customer of an app has a limit of their own, or a few could use up what all share. */
function rateKeyOf({ appId, companyId, customerId }: TokenCaller): string {
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

const NONE: readonly Permission[] = []

/** Lets callers with a token in to the routes that name a scope. On shared paths, callers are known by a token alone. */
export function authenticate(
  app: FastifyInstance,
  { findCaller, whenRevoked, rateLimit, clock }: Authentication,
  isShared: IsShared,
): void {
  const remembered = new Map<string, Remembered>()
  whenRevoked(() => remembered.clear())
  const takeToken = createRateLimiter(rateLimit)

  async function lookUp(token: string): Promise<Remembered> {
    const caller = await findCaller(token)
    if (caller === undefined) throw accessTokenInvalid()
    const entry = { caller, rateKey: rateKeyOf(caller), until: performance.now() + REMEMBER_MS }
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
    const caller = known !== undefined && known.until > performance.now() ? known.caller : await findCaller(token)
    if (caller === undefined || caller.expiresAt <= clock.now()) return false
    return missingPermission(caller, request.routeOptions.config.access?.permissions ?? NONE) === undefined
  })

  function admit(request: FastifyRequest, reply: FastifyReply, { caller, rateKey }: Remembered, access: Access): void {
    if (caller.expiresAt <= clock.now()) throw accessTokenExpired()
    limitRate(reply, rateKey)
    const needed = scopesOf(access)
    if (!needed.some((name) => caller.scopes.has(name))) throw scopeMissing(needed)
    const missing = missingPermission(caller, access.permissions ?? NONE)
    if (missing !== undefined) throw permissionMissing(missing)
    request.caller = caller
  }

  /** A path that does not exist is told to everybody, and counts for a caller who is known. */
  async function limitLost(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const isForTokens = isShared(request.url) || request.headers.authorization !== undefined
    const token = isForTokens ? tokenOf(request) : undefined
    const caller = token === undefined ? undefined : await findCaller(token)
    if (caller !== undefined && caller.expiresAt > clock.now()) limitRate(reply, rateKeyOf(caller))
  }

  // A remembered token is admitted without a promise, because this hook runs for every request.
  app.addHook('onRequest', (request, reply, done) => {
    const { access, everyPath } = request.routeOptions.config
    // A route for every path belongs to browsers: a token there has lost its way.
    const isLost = request.is404 || (everyPath === true && request.headers.authorization !== undefined)
    if (isLost) return void limitLost(request, reply).then(() => done(), done)
    if (access?.scope === undefined) return done()
    const token = presentedToken(request, reply)
    if (token === undefined) return done(accessTokenRequired())
    const entry = remembered.get(token)
    if (entry !== undefined && entry.until > performance.now()) {
      try {
        admit(request, reply, entry, access)
      } catch (error) {
        return done(toError(error))
      }
      return done()
    }
    lookUp(token)
      .then((found) => admit(request, reply, found, access))
      .then(() => done(), done)
  })
}
