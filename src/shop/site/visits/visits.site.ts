import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { KnownChanges } from '#history/events/shop-changes.cache.ts'
import { nowInSeconds } from '#platform/clock.ts'
import type { FindAnswer } from '#platform/http/answers/early-answers.ts'
import { queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import type { createSendPage } from '#platform/pages/answers.ts'
import { pageNotFound } from '#platform/pages/errors.ts'
import { translatedLanguage } from '#platform/text/accepted-languages.ts'
import { hostName, ownHost } from '#platform/wire/own-address.ts'
import type { ShopCache } from '#shop/cache/cache.ts'
import { sendKept } from '../answers/kept-pages.site.ts'
import { noShopPage } from '../answers/views.ts'
import { PREFERENCES_COOKIE, readShopCookie } from '../cookies.site.ts'
import { formFromElsewhere, previewOnly } from '../errors.ts'
import { findPreviewedShop } from '../queries.ts'
import { isFromSamePage, shopOrigin } from '../rules.ts'
import type { ShopVisit } from '../state.ts'
import { createShopFinder } from './shop-finder.cache.ts'
import { type Browser, createVisits, languagesFor, placeFor } from './visit.cache.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route of `shopRoutes`. */
    visit: ShopVisit
    /** The last change of shops that was known when the request came in. */
    knownChange: number
  }
}

export type SignedIn = { [Name in 'customer' | 'session']: NonNullable<ShopVisit[Name]> }

type Options = Pick<ResourceOptions, 'db' | 'clock'> & {
  changes: KnownChanges
  cache: ShopCache
  send: ReturnType<typeof createSendPage>
  /** The page that the visitor is shown without looking for the shop. */
  findKept: FindAnswer
  isForPrograms: (request: FastifyRequest) => boolean
  isOwner: (request: FastifyRequest) => Promise<boolean>
  findCustomer: ((request: FastifyRequest, visit: ShopVisit) => Promise<SignedIn | undefined>) | undefined
}

const NOT_FOUND = 404
const UNAVAILABLE = 503

/** The end of a shop's closure is not known; an hour keeps crawlers from asking again and again. */
const RETRY_SECONDS = '3600'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Finds out for every request of this context which shop it is for, and who asks. */
export function addVisits(
  app: FastifyInstance,
  { db, clock, changes, cache, send, findKept, isForPrograms, isOwner, findCustomer }: Options,
): void {
  const findShop = createShopFinder(db, cache)
  const visitOf = createVisits(db, cache)
  app.decorateRequest('visit')
  app.decorateRequest('knownChange', 0)

  app.addHook('onRequest', async (request, reply) => {
    if (isForPrograms(request)) return reply.callNotFound()
    const kept = request.method === 'GET' ? findKept(request) : undefined
    if (kept !== undefined) return sendKept(reply, kept)
    request.knownChange = changes.last()
    const own = ownHost(app.baseUrl)
    const { id, token } = shopIn(request)
    const address = id === undefined ? { host: request.host, ownHost: own } : { id }
    const draft =
      id === undefined || token === undefined ? undefined : await findPreviewedShop(db, id, token, nowInSeconds(clock))
    const shop = token === undefined ? await findShop(address, request.knownChange) : draft?.shop
    if (shop === undefined && id !== undefined) throw pageNotFound()
    if (shop === undefined) {
      const language = translatedLanguage(request.headers['accept-language'] ?? '') ?? ''
      return send(reply, noShopPage(language, hostName(request.host), own), { status: NOT_FOUND })
    }
    const browser = browserOf(request)
    const base = id === undefined ? '' : `/shop/${shop.id}${token === undefined ? '' : `~${token}`}`
    request.visit = await visitOf(shop, base, browser, request.knownChange)
    request.visit.sandboxTime = clock.own.find(shop.company_id, nowInSeconds(clock))
    if (draft !== undefined) {
      if (!SAFE.has(request.method)) throw previewOnly()
      request.visit.draft = draft
    }
    const elsewhere = SAFE.has(request.method) ? placeElsewhere(request, app.baseUrl) : ''
    if (elsewhere !== '') return reply.redirect(elsewhere, 302)
    if (shop.shop_offline && !isOfCustomer(request)) {
      if (!(await isOwner(request)))
        // 503, not 200: search engines then keep their index of the shop instead of the message, and nothing is cached.
        return reply.header('retry-after', RETRY_SECONDS).shopPage('offline', {}, { status: UNAVAILABLE })
      request.visit.isPreview = true
    }
    if (!SAFE.has(request.method) && !isFromShop(request)) throw formFromElsewhere()
    const signedIn = await findCustomer?.(request, request.visit)
    if (signedIn?.session.orderIds === null)
      Object.assign(
        request.visit,
        signedIn,
        languagesFor(shop, browser, signedIn.customer.language),
        placeFor(request.visit, browser, signedIn.customer.country),
      )
    else request.visit.guest = signedIn
  })

  // No cache may show others what the owner of a closed shop sees, or what is not saved, whatever the route says.
  app.addHook('onSend', (request, reply, _payload, next) => {
    if (request.visit?.isPreview === true || request.visit?.draft !== undefined)
      reply.header('cache-control', 'private, no-store')
    next()
  })
}

export function browserOf(request: FastifyRequest): Browser {
  return {
    acceptLanguage: request.headers['accept-language'] ?? '',
    preferences: readShopCookie(request, PREFERENCES_COOKIE),
    language: queryText(request, 'lang'),
  }
}

/** Where the page is, if the shop has it at another host; empty if it is here. */
function placeElsewhere(request: FastifyRequest, baseUrl: string): string {
  const { shop, base } = request.visit
  if (shop.kind === 'access_domain') return outsideOf(request, baseUrl)
  const path = request.url.slice(base.length)
  if (!shop.hosts.access_domain || !OF_LIBRARY.test(path)) return ''
  const { protocol, port } = new URL(baseUrl)
  // The domain of My Content asks this host for the session of the visitor.
  const query = new URLSearchParams({ return_to: path, from: base === '' ? shop.kind : 'own' })
  return `${protocol}//${shop.hosts.access_domain}${port === '' ? '' : `:${port}`}/handover/ask?${query}`
}

const OF_LIBRARY = /^\/my-content(\/|\?|$)/

/** Where a page of the shop is that the domain of My Content does not have; empty if it has the page. */
function outsideOf(request: FastifyRequest, baseUrl: string): string {
  if (/^\/(\?|$)/.test(request.url)) return '/my-content'
  return isOfCustomer(request) ? '' : `${shopOrigin(request.visit.shop, baseUrl)}${request.url}`
}

/** A shop that is closed keeps nothing from those who have bought there, nor does the domain of My Content. */
const OF_CUSTOMERS =
  /^\/(account|cancel|customer|gifts|handover|icons|login|logout|manifest\.webmanifest|my-content|no-connection|orders|preferences|register|reset|subscriptions|sw\.js)(\/|$)/

function isOfCustomer({ url, visit }: FastifyRequest): boolean {
  const [path = ''] = url.slice(visit.base.length).split('?')
  return OF_CUSTOMERS.test(path)
}

/** The id of the shop in an address of the service's own host, and the token of a preview: `1000` or `1000~k3Jq`. */
function shopIn({ params }: FastifyRequest): { id?: string | undefined; token?: string | undefined } {
  const shop: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'shop') : undefined
  if (typeof shop !== 'string') return {}
  const [id, token] = shop.split('~')
  return { id, token }
}

function isFromShop({ headers, host }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = headers
  return isFromSamePage({ site: Array.isArray(site) ? site.join() : site, origin }, host)
}
