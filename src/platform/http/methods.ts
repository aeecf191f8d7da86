import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type IsShared, PREFLIGHT } from './cors.ts'
import { methodNotAllowed } from './problems.ts'
import type { SiteOf } from './sites.ts'

type Known = { pattern: RegExp; site: unknown; methods: Set<string> }

/** The path of a route as an expression. */
function patternOf(url: string): RegExp {
  const parts = url.split(/(:\w+|\*)/).map((part) => {
    if (part.startsWith(':')) return '[^/]+'
    return part === '*' ? '.*' : RegExp.escape(part)
  })
  return new RegExp(`^${parts.join('')}$`)
}

/** The methods that a path has, in the order in which they were registered; none for a path that does not exist. */
export type FindMethods = (request: FastifyRequest) => string[]

function collectMethods(app: FastifyInstance, siteOf: SiteOf): FindMethods {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  // Only a request that is wrong needs the patterns.
  let known: Known[] | undefined
  return ({ raw, url }) => {
    // The route for every path of a shop names no path.
    known ??= routes
      .filter((route) => route.url !== '/*')
      .map((route) => ({
        pattern: patternOf(route.url),
        site: route.constraints?.site,
        methods: new Set([route.method].flat()),
      }))
    const path = url.split('?')[0] ?? ''
    const site = siteOf(raw)
    const found = known.filter((route) => (route.site ?? site) === site && route.pattern.test(path))
    return [...new Set(found.flatMap(({ methods }) => [...methods]))]
  }
}

/** Throws 405 if the path of a request exists with other methods. */
export type RefuseMethod = (request: FastifyRequest) => void

/**
 * Answers a method that a known path does not have with 405, and OPTIONS on shared paths. It happens before the body is
 * read, so that a wrong body does not hide it.
 */
export function answerMethods(app: FastifyInstance, siteOf: SiteOf, isShared: IsShared): RefuseMethod {
  const findMethods = collectMethods(app, siteOf)

  function allowedFor(request: FastifyRequest): string[] {
    const methods = findMethods(request)
    return methods.length > 0 && isShared(request.url) ? [...methods, 'OPTIONS'] : methods
  }

  function refuse(request: FastifyRequest): void {
    const allowed = allowedFor(request)
    if (allowed.length > 0 && !allowed.includes(request.method))
      throw methodNotAllowed({ method: request.method, allowed })
  }

  // Without a promise, because this hook runs for every request.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const allowed = allowedFor(request)
    if (request.method === 'OPTIONS' && isShared(request.url)) return void answerOptions(reply, allowed)
    done(allowed.length > 0 ? methodNotAllowed({ method: request.method, allowed }) : undefined)
  })
  return refuse
}

/** A preflight is answered for unknown paths too, so that a page can read the 404 that follows. */
function answerOptions(reply: FastifyReply, allowed: string[]): FastifyReply {
  if (allowed.length > 0) reply.header('allow', allowed.join(', '))
  return reply.code(204).headers(PREFLIGHT).send()
}
