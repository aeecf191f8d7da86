import type { FastifyPluginCallback, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { keepCustomer } from '#people/customers/cookie.site.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { randomToken, tokenHash } from '#platform/identity/crypto.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { clearShopCookie, isFramed, readShopCookie, writeShopCookie } from '#shop/site/cookies.site.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { returnPath } from '#shop/site/rules.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { placesOf } from '../login/rules.ts'
import { signInPath } from '../sessions/rules.ts'
import { memberOf, pathPart } from '../sessions/site.ts'
import { giveSession, takeOver } from './commands.ts'
import { giverOf, readState } from './rules.ts'

type Options = Pick<ResourceOptions, 'clock'>

const COOKIE = 'licet_handover'
const COOKIE_SECONDS = 600

const Asked = Type.Object({
  return_to: Type.Optional(Type.String({ maxLength: 2000 })),
  from: Type.Optional(Type.String({ maxLength: 20 })),
})
const Given = Type.Object({
  return_to: Type.Optional(Type.String({ maxLength: 2000 })),
  state: Type.Optional(Type.String({ maxLength: 100 })),
})
const Taken = Type.Object({ return_to: Type.Optional(Type.String({ maxLength: 2000 })) })

/** The addresses have secrets in them, and lead to a page that differs from one browser to the next. */
function leadTo(reply: FastifyReply, address: string): FastifyReply {
  return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(address, 303)
}

/**
 * How the session of a shop comes along to the domain of My Content, which cannot read the cookies of the shop. The domain asks
 * the shop for it, and gives its browser a value whose hash it sends along; the shop answers with a token that works once, and
 * only together with that value. So nobody can send others a link that signs them in as somebody else.
 */
export const handoverRoutes: FastifyPluginCallback<Options> = (app, { clock }, done) => {
  requireEncryption(app)
  const routes = shopRoutes(app)

  // At the domain of My Content.
  routes.get('/handover/ask', { querystring: Asked }, async (request, reply) => {
    const { shop, base, guest } = request.visit
    if (shop.kind !== 'access_domain') throw shopPageNotFound()
    const path = returnPath(base, queryText(request, 'return_to'))
    if ((memberOf(request) ?? guest) !== undefined) return leadTo(reply, path)
    const giver = giverOf(placesOf(shop, app.baseUrl), shop.hosts, queryText(request, 'from'), app.baseUrl)
    const value = readShopCookie(request, COOKIE) ?? randomToken()
    writeShopCookie(reply, COOKIE, value, COOKIE_SECONDS)
    const query = new URLSearchParams({ state: tokenHash(value).toString('base64url'), return_to: path })
    return leadTo(reply, `${giver.origin}${giver.base}/handover/give?${query}`)
  })

  // At the other hosts of the shop.
  routes.get('/handover/give', { querystring: Given }, async (request, reply) => {
    const { shop, guest } = request.visit
    const state = readState(queryText(request, 'state'))
    const { access } = placesOf(shop, app.baseUrl)
    if (shop.kind === 'access_domain' || access === undefined || state === undefined) throw shopPageNotFound()
    const path = returnPath('', queryText(request, 'return_to'))
    const buyer = memberOf(request) ?? guest
    if (buyer === undefined) return leadTo(reply, `${access.origin}${signInPath('', path)}`)
    const token = await app.change((tx) => giveSession(tx, buyer.session, state, nowInSeconds(clock)))
    const query = new URLSearchParams({ return_to: path })
    return leadTo(reply, `${access.origin}/handover/take/${token}?${query}`)
  })

  // At the domain of My Content again.
  routes.get('/handover/take/:token', { querystring: Taken }, async (request, reply) => {
    const { shop, base } = request.visit
    if (shop.kind !== 'access_domain') throw shopPageNotFound()
    const path = returnPath(base, queryText(request, 'return_to'))
    const value = readShopCookie(request, COOKIE)
    const token = await app.change((tx) => takeOver(tx, shop, pathPart(request, 'token'), value, nowInSeconds(clock)))
    clearShopCookie(reply, COOKIE)
    if (token === undefined) return leadTo(reply, signInPath(base, path))
    keepCustomer(reply, { base, token, isFramed: isFramed(request) })
    return leadTo(reply, path)
  })

  done()
}
