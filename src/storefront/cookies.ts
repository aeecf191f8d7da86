import type { FastifyReply, FastifyRequest } from 'fastify'
import { isEncrypted } from '#pages/encryption.ts'

/** Keeps the language, the country and the currency that a visitor has chosen. */
export const PREFERENCES_COOKIE = 'licet_shop'

/**
 * On the service's own host all shops share a host, so each has its cookies below its own path. `__Host-` would need the
 * path `/`.
 */
function nameFor(request: FastifyRequest, name: string): string {
  if (!isEncrypted(request)) return name
  return baseOf(request) === '' ? `__Host-${name}` : `__Secure-${name}`
}

/** The path of the shop on the service's own host. The cookie of preferences is read before the visit is known. */
function baseOf({ params }: FastifyRequest): string {
  const shop: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'shop') : undefined
  return typeof shop === 'string' ? `/shop/${Number(shop)}` : ''
}

function optionsFor(request: FastifyRequest) {
  const path = baseOf(request) || '/'
  return { path, httpOnly: true, sameSite: 'lax', secure: isEncrypted(request) } as const
}

/** Reads a cookie of the shop. */
export function readShopCookie(request: FastifyRequest, name: string): string | undefined {
  return request.cookies[nameFor(request, name)]
}

/** Without a number of seconds the browser keeps the cookie until it is closed. */
export function writeShopCookie(reply: FastifyReply, name: string, value: string, maxAge?: number): FastifyReply {
  const options = optionsFor(reply.request)
  return reply.setCookie(nameFor(reply.request, name), value, maxAge === undefined ? options : { ...options, maxAge })
}

export function clearShopCookie(reply: FastifyReply, name: string): FastifyReply {
  return reply.clearCookie(nameFor(reply.request, name), optionsFor(reply.request))
}
