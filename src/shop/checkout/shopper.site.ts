import type { FastifyReply, FastifyRequest } from 'fastify'
import { keepCustomer } from '#people/customers/cookie.site.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import { isEncrypted } from '#platform/pages/encryption.ts'
import { clearShopCookie, isFramed, readShopCookie, writeShopCookie } from '#shop/site/cookies.site.ts'
import type { PaymentStep, Shopper } from './state.ts'

const CART_COOKIE = 'licet_cart'
const CART_SECONDS = 30 * 86_400

/** Whose cart a request is about. */
export function shopperOf(request: FastifyRequest): Shopper {
  const { shop, customer, country, currency, language } = request.visit
  return {
    companyId: shop.company_id,
    shopId: shop.id,
    customerId: customer?.id,
    token: readShopCookie(request, CART_COOKIE),
    place: { country, currency, language },
  }
}

/**
 * shopperOf for a change: a guest without a cart gets the cookie of a new one. The cookie of a customer stays until the
 * customer signs out, because the change that would take in the guest's cart may be refused.
 */
export function keepShopper(request: FastifyRequest, reply: FastifyReply): Shopper {
  const shopper = shopperOf(request)
  if (shopper.customerId !== undefined) return shopper
  const token = shopper.token ?? randomToken(18)
  writeShopCookie(reply, CART_COOKIE, token, CART_SECONDS)
  return { ...shopper, token }
}

/** Takes the cart out of the browser: somebody else may be the next to use it. */
export function dropShopper(reply: FastifyReply): void {
  clearShopCookie(reply, CART_COOKIE)
}

/** What a purchase has to know of the browser. */
export function browserOf(request: FastifyRequest) {
  const { 'user-agent': userAgent = '', 'accept-language': acceptLanguage = '' } = request.headers
  const origin = `${isEncrypted(request) ? 'https' : 'http'}://${request.host}`
  return { address: request.ip, userAgent, acceptLanguage, origin }
}

/** Goes on to the page of the order that was placed, or to that of the gateway. */
export function toPayment(reply: FastifyReply, { order, leaves, sessionToken }: PaymentStep): FastifyReply {
  const { request } = reply
  const { base } = request.visit
  if (sessionToken !== undefined) keepCustomer(reply, { base, token: sessionToken, isFramed: isFramed(request) })
  return reply.toShop(`/orders/${order}${leaves ? '/continue' : ''}`)
}
