import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isEncrypted } from './encryption.ts'

/** Where a cookie counts: on a whole host, or below a path of it, which starts with a slash and does not end with one. */
export type CookiePlace = { base: string }

export type PlaceCookie = CookiePlace & {
  name: string
  maxAge: number
  /** Browsers send the cookie in frames of other sites too, and keep one for each of those sites. */
  isFramed: boolean
}

/** Lets the routes of a scope read and write cookies. */
export async function addCookies(app: FastifyInstance): Promise<void> {
  await app.register(cookie)
}

/** The prefix keeps other subdomains from setting the cookie; the stricter one is for whole hosts only. */
function nameFor(request: FastifyRequest, name: string, base: string): string {
  if (!isEncrypted(request)) return name
  return base === '' ? `__Host-${name}` : `__Secure-${name}`
}

function optionsFor(request: FastifyRequest, { base, isFramed }: Pick<PlaceCookie, 'base' | 'isFramed'>) {
  const common = { path: base === '' ? '/' : base, httpOnly: true } as const
  // Browsers refuse a cookie for frames without TLS.
  return isFramed && isEncrypted(request)
    ? ({ ...common, sameSite: 'none', secure: true, partitioned: true } as const)
    : ({ ...common, sameSite: 'lax', secure: isEncrypted(request) } as const)
}

export function readPlaceCookie(request: FastifyRequest, name: string, { base }: CookiePlace): string | undefined {
  // The page that says that a request was refused is made before the cookies have been read.
  const cookies = request.cookies ?? request.server.parseCookie(request.headers.cookie ?? '')
  return cookies[nameFor(request, name, base)]
}

export function writePlaceCookie(reply: FastifyReply, value: string, cookie: PlaceCookie): FastifyReply {
  const name = nameFor(reply.request, cookie.name, cookie.base)
  return reply.setCookie(name, value, { ...optionsFor(reply.request, cookie), maxAge: cookie.maxAge })
}

export function clearPlaceCookie(reply: FastifyReply, cookie: Omit<PlaceCookie, 'maxAge'>): FastifyReply {
  return reply.clearCookie(nameFor(reply.request, cookie.name, cookie.base), optionsFor(reply.request, cookie))
}
