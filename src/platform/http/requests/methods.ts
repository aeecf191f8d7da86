import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { methodNotAllowed } from '../problems.ts'
import type { SiteOf } from '../sites.ts'
import { type IsShared, PREFLIGHT } from './cors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers every path below its own with the same page, except those that another route has. */
    everyPath?: true
  }
}

type Known = { parts: string[]; site: unknown; methods: string[]; isEveryPath: boolean }

/** Does a path fit that of a route, such as `/things/:id.json` or `/docs/*`? */
function fits(route: readonly string[], path: readonly string[]): boolean {
  const hasLength = route.at(-1) === '*' ? path.length >= route.length : path.length === route.length
  return hasLength && route.every((part, at) => fitsPart(part, path[at] ?? ''))
}

function fitsPart(part: string, sent: string): boolean {
  if (part === '*') return true
  if (!part.startsWith(':')) return part === sent
  const end = part.replace(/^:\w+/, '')
  return sent.length > end.length && sent.endsWith(end)
}

/** The methods that a path has, in the order in which they were registered; none for a path that does not exist. */
export type FindMethods = (request: FastifyRequest) => string[]

function collectMethods(app: FastifyInstance, siteOf: SiteOf): FindMethods {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  // Only a request that is wrong needs them.
  let known: Known[] | undefined
  return ({ raw, url }) => {
    // The route for every path of a shop names no path.
    known ??= routes
      .filter((route) => route.url !== '/*')
      .map((route) => ({
        parts: route.url.split('/'),
        site: route.constraints?.site,
        methods: [route.method].flat(),
        isEveryPath: route.config?.everyPath === true,
      }))
    const path = url.split('?')[0]?.split('/') ?? []
    const site = siteOf(raw)
    const found = known.filter((route) => (route.site ?? site) === site && fits(route.parts, path))
    const named = found.filter(({ isEveryPath }) => !isEveryPath)
    return [...new Set((named.length > 0 ? named : found).flatMap(({ methods }) => methods))]
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
    // A path may have a route for OPTIONS of its own.
    return methods.length > 0 && isShared(request.url) ? [...new Set([...methods, 'OPTIONS'])] : methods
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
