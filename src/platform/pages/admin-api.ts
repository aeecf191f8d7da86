import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { permissionMissing } from '../errors/errors.ts'
import { callerOf, missingPermission } from '../identity/caller.ts'
import { tokenHash } from '../identity/crypto.ts'
import { readCookie } from './cookies.ts'
import { requireEncryption } from './encryption.ts'
import { companySwitched, foreignOrigin, secondFactorMissing, sessionRequired } from './errors.ts'
import { SESSION_COOKIE, type SessionOptions } from './sessions.ts'

/** The company whose data a page shows, which it names in each request. */
const COMPANY_HEADER = 'licet-company'

/** Methods that change nothing. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Lets the service's own pages call the routes of this context: with the session cookie, in JSON, on the service's own
 * host. A change has to come from our own origin, because a browser sends the cookie with any request.
 */
export async function addAdminApi(
  app: FastifyInstance,
  { findSession }: Pick<SessionOptions, 'findSession'>,
): Promise<void> {
  app.addHook('onRoute', (route) => {
    const { access, ...config } = route.config ?? {}
    if (access === undefined) throw new Error(`${route.method} ${route.url} does not say who may call it`)
    route.constraints = { ...route.constraints, site: 'own' }
    // The document describes it below /api. Here its scope means nothing: no token is taken.
    if (access.scope !== undefined) route.schema = { ...route.schema, hide: true }
    const { scope: _scope, permissions = [], ...rest } = access
    route.config = { ...config, access: { permissions, ...rest } }
  })
  requireEncryption(app)
  await app.register(cookie)
  app.decorateRequest('session')

  app.addHook('onRequest', async (request, reply) => {
    const token = readCookie(request, SESSION_COOKIE)
    const session = token === undefined ? undefined : await findSession(tokenHash(token))
    if (session === undefined || session.secondFactorDue) throw sessionRequired()
    app.limitRate(reply, `user ${session.userId}`)
    reply.header('cache-control', 'private, no-cache')
    if (!SAFE.has(request.method) && !isFromOwnPage(request)) throw foreignOrigin()
    const { own = false, beforeSecondFactor = own, permissions = [] } = request.routeOptions.config.access ?? {}
    if (session.secondFactorMissing && !beforeSecondFactor) throw secondFactorMissing()
    const caller = callerOf(session)
    const missing = missingPermission(caller, permissions)
    if (missing !== undefined) throw permissionMissing(missing)
    // The user may have gone on to another company in another tab, which this one does not know of.
    const shown = request.headers[COMPANY_HEADER]
    if (shown !== undefined && shown !== String(caller.companyId)) throw companySwitched()
    request.caller = caller
    request.session = session
  })
}

/**
 * Browsers send the origin with every change. One that leaves it out for a request to the same origin says so in
 * Sec-Fetch-Site, which no script can set.
 */
function isFromOwnPage({ headers, protocol, host, server }: FastifyRequest): boolean {
  if (headers.origin === undefined) return headers['sec-fetch-site'] === 'same-origin'
  // Behind a proxy that ends TLS, only the base URL knows the scheme. The host was found to be the service's own.
  return headers.origin === `${protocol}://${host}` || headers.origin === new URL(server.baseUrl).origin
}
