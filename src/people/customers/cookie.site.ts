import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CookiePlace, clearPlaceCookie, readPlaceCookie, writePlaceCookie } from '#platform/pages/place-cookies.ts'

const COOKIE = 'licet_customer'
/** A name of its own, because a browser may hold a cookie for frames and a plain one at the same time. */
const FRAMED_COOKIE = 'licet_customer_framed'
/** The service decides when a session ends, so the cookie lasts as long as a session can. */
const SECONDS = 90 * 86_400

/** The token of the customer's session at a place, if the browser has one. */
export function customerTokenOf(request: FastifyRequest, place: CookiePlace): string | undefined {
  return readPlaceCookie(request, COOKIE, place) ?? readPlaceCookie(request, FRAMED_COOKIE, place)
}

/** Lets the browser keep a session, in place of any other one at the place. */
export function keepCustomer(
  reply: FastifyReply,
  { base, token, isFramed }: CookiePlace & { token: string; isFramed: boolean },
): FastifyReply {
  const [name, other] = isFramed ? [FRAMED_COOKIE, COOKIE] : [COOKIE, FRAMED_COOKIE]
  clearPlaceCookie(reply, { name: other, base, isFramed: !isFramed })
  return writePlaceCookie(reply, token, { name, base, maxAge: SECONDS, isFramed })
}

export function dropCustomer(reply: FastifyReply, { base }: CookiePlace): FastifyReply {
  clearPlaceCookie(reply, { name: FRAMED_COOKIE, base, isFramed: true })
  return clearPlaceCookie(reply, { name: COOKIE, base, isFramed: false })
}
