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

/** Remembers in a frame that the site around it has header and footer of its own, while the customer goes from page to page. */
const EMBEDDED_COOKIE = 'licet_embedded'
const EMBEDDED_SECONDS = 86_400

/** Is the page a part of another site, without header and footer of the shop? */
export function isEmbedded(request: FastifyRequest): boolean {
  return asksToEmbed(request) || (isFramed(request) && readShopCookie(request, EMBEDDED_COOKIE) === '1')
}

/** The query is read from the address, because a route knows the parameters that it names, and no others. */
function asksToEmbed({ url }: FastifyRequest): boolean {
  return /[?&]embedded=1(&|$)/.test(url)
}

/** Pages that are opened from an embedded one are embedded too. */
export function keepEmbedded(reply: FastifyReply): void {
  const { request } = reply
  if (asksToEmbed(request) && isFramed(request)) writeShopCookie(reply, EMBEDDED_COOKIE, '1', EMBEDDED_SECONDS)
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
