import type { FastifyReply, FastifyRequest } from 'fastify'
import { clearPlaceCookie, readPlaceCookie, writePlaceCookie } from '#platform/pages/place-cookies.ts'

/** Keeps the language, the country and the currency that a visitor has chosen. */
export const PREFERENCES_COOKIE = 'licet_shop'

/**
 * On the service's own host all shops share a host, so each has its cookies below its own path. The cookie of preferences
 * is read before the visit is known.
 */
function baseOf({ params }: FastifyRequest): string {
  const shop: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'shop') : undefined
  return typeof shop === 'string' ? `/shop/${Number(shop)}` : ''
}

/** Is the page shown in a frame of a site that the owner has named? */
export function isFramed({ headers, visit }: FastifyRequest): boolean {
  return visit.shop.frame_origins.length > 0 && /^i?frame$/.test(String(headers['sec-fetch-dest']))
}

/** Reads a cookie of the shop. */
export function readShopCookie(request: FastifyRequest, name: string): string | undefined {
  return readPlaceCookie(request, name, { base: baseOf(request) })
}

export function writeShopCookie(reply: FastifyReply, name: string, value: string, maxAge: number): FastifyReply {
  const { request } = reply
  return writePlaceCookie(reply, value, { name, base: baseOf(request), maxAge, isFramed: isFramed(request) })
}

export function clearShopCookie(reply: FastifyReply, name: string): FastifyReply {
  const { request } = reply
  return clearPlaceCookie(reply, { name, base: baseOf(request), isFramed: isFramed(request) })
}
