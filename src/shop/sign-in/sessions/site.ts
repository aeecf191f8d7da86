import type { FastifyReply, FastifyRequest } from 'fastify'
import { customerTokenOf, dropCustomer, keepCustomer } from '#people/customers/cookie.site.ts'
import type { CustomerSession, SignedInCustomer } from '#people/customers/sessions/state.ts'
import { isFramed } from '#shop/site/cookies.site.ts'
import { returnPath } from '#shop/site/rules.ts'
import { shopAddress, signInPath } from './rules.ts'

/** Somebody who is signed in, in the shop that the page belongs to. */
export type Member = { customer: SignedInCustomer; session: CustomerSession }

/** The customer of the page; undefined for guests. */
export function memberOf({ visit: { customer, session } }: FastifyRequest): Member | undefined {
  return customer === undefined || session === undefined ? undefined : { customer, session }
}

/** The shop and the browser of a request, for somebody who signs in. */
export function entranceOf(request: FastifyRequest) {
  const { shop, base } = request.visit
  return {
    companyId: shop.company_id,
    shopId: shop.id,
    userAgent: request.headers['user-agent'] ?? '',
    address: request.ip,
    before: customerTokenOf(request, { base }),
  }
}

/** Lets the browser keep the session, and goes to a page of the shop. An address outside it leads to the account. */
export function welcome(reply: FastifyReply, token: string, returnTo: string): FastifyReply {
  const { request } = reply
  const { base } = request.visit
  keepCustomer(reply, { base, token, isFramed: isFramed(request) })
  return reply.redirect(returnTo === '' ? `${base}/account` : returnPath(base, returnTo), 303)
}

/** Takes session and cart out of the browser, and goes to the home page. */
export async function goodbye(reply: FastifyReply, { isDeleted = false } = {}): Promise<FastifyReply> {
  const { base } = reply.request.visit
  await reply.leaveCart(!isDeleted)
  return dropCustomer(reply, { base }).redirect(`${base}/`, 303)
}

/**
 * Asks a guest to sign in, and returns here afterwards. At the domain of My Content the visitor may be signed in at the shop
 * already, which is asked first.
 */
export function toSignIn(reply: FastifyReply): FastifyReply {
  const { url, method, visit } = reply.request
  const { shop, base, guest } = visit
  if (shop.kind === 'access_domain' && guest === undefined && method === 'GET')
    return reply.redirect(`${base}/handover/ask?${new URLSearchParams({ return_to: url })}`, 303)
  return reply.redirect(signInPath(base, url), 303)
}

/** The address of the shop in links of mails: the one at which the visitor is. */
export function addressOf({ host, visit: { base }, server }: FastifyRequest): string {
  return shopAddress(base, host, server.baseUrl)
}

type MemberHandler = (request: FastifyRequest, reply: FastifyReply, member: Member) => Promise<unknown>

/** Runs a handler for customers who are signed in; others are asked to sign in first. */
export function forMembers(handler: MemberHandler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const member = memberOf(request)
    return member === undefined ? toSignIn(reply) : handler(request, reply, member)
  }
}

/** forMembers that lets in a guest too, for what the guest has bought in this browser. */
export function forBuyers(handler: MemberHandler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const buyer = memberOf(request) ?? request.visit.guest
    return buyer === undefined ? toSignIn(reply) : handler(request, reply, buyer)
  }
}

/** A value of the path. */
export function pathPart({ params }: FastifyRequest, name: string): string {
  const value: unknown = Reflect.get(Object(params), name)
  return typeof value === 'string' ? value : ''
}
