import cookie from '@fastify/cookie'
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteOptions,
} from 'fastify'
import { createKnownChanges } from '#history/events/shop-changes.cache.ts'
import type { Problem } from '#platform/errors/problem.ts'
import type { EarlyAnswer, FindAnswer } from '#platform/http/answers/early-answers.ts'
import { chooseEncoding } from '#platform/http/answers/encodings.ts'
import { asProblem, logged } from '#platform/http/errors.ts'
import { queryText, readForms } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { createPageHeaders, createSendPage, type PageHeaders, type PageSite } from '#platform/pages/answers.ts'
import { pageNotFound } from '#platform/pages/errors.ts'
import type { PagePolicy } from '#platform/pages/policy.ts'
import { sendProblemPage } from '#platform/pages/problem-pages.ts'
import { hostName, ownHost } from '#platform/wire/own-address.ts'
import { createSharedCache, type Made } from '#shop/cache/cache.ts'
import { createEncodedPage, type EncodedPage } from '#shop/cache/encoded-page.files.ts'
import type { ThemeFault } from '#shop/themes/state.ts'
import type { Themes } from '#shop/themes/themes.theme.ts'
import { PREFERENCES_COOKIE, readShopCookie } from './cookies.site.ts'
import { formFromElsewhere, themeBroken } from './errors.ts'
import { createPageMaker, sourceOf } from './page-maker.views.ts'
import type { ShopModel, ShopTemplate } from './pages.site.ts'
import { chooseLanguage, isFromSamePage, shopOrigin } from './rules.ts'
import { createShopFinder } from './shop-finder.cache.ts'
import type { ShopVisit } from './state.ts'
import { AWAY_LANGUAGES, awayPage, noShopPage, themeFaultPage } from './views.ts'
import { type Browser, createVisits, languagesFor, wantedLanguages } from './visit.cache.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route of `shopRoutes`. */
    visit: ShopVisit
    /** The last change of shops that was known when the request came in. */
    knownChange: number
  }
  interface FastifyReply {
    /** Answers with a page of the shop: `templates/{template}.liquid` of its theme, inside the layout. */
    shopPage<Template extends ShopTemplate>(
      template: Template,
      model: ShopModel<Template>,
      answer?: ShopAnswer,
    ): Promise<FastifyReply>
    /**
     * Answers with a page that is the same for everybody but for its frame. It is kept, so `makeModel` is called only if
     * nobody was shown the page since the shop changed.
     */
    sharedPage<Template extends ShopTemplate>(
      template: Template,
      makeModel: () => Promise<ShopModel<Template>>,
    ): Promise<FastifyReply>
    /** Redirects to a page of the shop, such as `/cart`, after a form. */
    toShop(path: string): FastifyReply
    /** Takes the cart out of the browser of somebody who signs out; of a customer, unless the account is gone. */
    leaveCart(isCustomer: boolean): Promise<void>
  }
}

export type ShopAnswer = {
  status?: number
  headers?: Record<string, string>
  /** The sites whose pages are shown in a frame of this page. */
  frames?: readonly string[]
}

export type ShopSiteOptions = Pick<ResourceOptions, 'db' | 'notices'> & {
  themes: Themes
  /** Is the address part of the API? */
  isForPrograms: (request: FastifyRequest) => boolean
  /** The company of the admin user who is signed in in this browser, on the service's own host. */
  findUserCompany: (request: FastifyRequest) => Promise<number | undefined>
  /** The customer who is signed in, by a cookie of the shop. */
  findCustomer?: (request: FastifyRequest, visit: ShopVisit) => Promise<SignedIn | undefined>
  /** Makes the function that is told of every visitor to whom a page is shown, for the statistics. */
  countViews?: (shown: ShownPage) => (viewer: Viewer) => void
  /** The number of things in the visitor's cart. */
  countCart?: (request: FastifyRequest) => Promise<number>
  /** Takes the cart out of a browser in which somebody signs out. A customer who stays one finds it again after signing in. */
  leaveCart?: (reply: FastifyReply, isCustomer: boolean) => Promise<void>
  /** What the shop can do beyond showing things. Templates ask for it, so that there is no button without a page. */
  features?: Readonly<Record<string, boolean>>
}

/** A page that is shown, perhaps to many visitors. `isPrivate`: it is about one of them. */
export type ShownPage = { url: string; route: string; acceptLanguage: string; visit: ShopVisit; isPrivate: boolean }

export type Viewer = Pick<FastifyRequest, 'headers' | 'ip' | 'host'>

export type SignedIn = { [Name in 'customer' | 'session']: NonNullable<ShopVisit[Name]> }

const OK = 200
const NOT_FOUND = 404
const UNAVAILABLE = 503
/** What is said on a page without the theme, if the theme cannot say it. */
const PLAIN = new Set([403, UNAVAILABLE])

/** The end of a shop's closure is not known; an hour keeps crawlers from asking again and again. */
const RETRY_SECONDS = '3600'

/** The texts of a shop may be cached for a minute. */
export const SHORTLY = 'public, max-age=60'
const PERSONAL = 'private, no-cache'
const VARY = 'accept-language, cookie'

/** Everything comes from the shop's own host, and nothing is inline, so that no text of an owner can run a script. */
const POLICY: PagePolicy = {
  scripts: ["'self'"],
  styles: ["'self'"],
  images: ["'self'", 'data:'],
  fonts: ["'self'"],
  connections: ["'self'"],
  media: ["'self'"],
  manifests: ["'self'"],
  formActions: ["'self'"],
  frameAncestors: [],
}

const SITE: PageSite = { policy: POLICY, referrer: 'same-origin' }
const headersOfSite = createPageHeaders(SITE)

/** The headers of pages that have frames, or that the sites which the owner names may show in a frame. */
function headersIn(frameAncestors: readonly string[], frames: readonly string[]): PageHeaders {
  if (frameAncestors.length === 0 && frames.length === 0) return headersOfSite
  return createPageHeaders({ ...SITE, policy: { ...POLICY, frameAncestors, frames } })
}

/** A page that a visitor was shown, for the next one. */
type KeptPage = {
  route: string
  fault: ThemeFault | undefined
  count: (viewer: Viewer) => void
  as: EncodedPage['as']
}

/** The key of a page for visitors without a cookie; undefined for everybody else, to whom no kept page is shown. */
function guestKey({ url, host, headers }: Pick<FastifyRequest, 'url' | 'host' | 'headers'>): string | undefined {
  const { cookie: cookies = '', 'accept-language': acceptLanguage = '' } = headers
  return cookies === '' ? `${host} ${url} ${acceptLanguage}` : undefined
}

function sendKept(reply: FastifyReply, { headers, body }: Pick<EarlyAnswer, 'headers' | 'body'>): FastifyReply {
  for (let place = 0; place < headers.length; place += 2) reply.header(headers[place] ?? '', headers[place + 1])
  return reply.send(body)
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Makes the routes of this context pages of shops. Register it before any `shopRoutes`. */
export async function addShopSite(app: FastifyInstance, options: ShopSiteOptions): Promise<void> {
  const { db, notices, themes } = options
  const send = createSendPage(SITE)
  const changes = createKnownChanges(notices)
  const findShop = createShopFinder(db, changes)
  const visitOf = createVisits(db, changes)
  const { features = {}, countCart = async () => 0 } = options
  const maker = createPageMaker({ themes, features, countCart, changes, baseUrl: () => app.baseUrl })
  const pages = createSharedCache<KeptPage>(changes)
  app.removeAllContentTypeParsers()
  readForms(app)
  await app.register(cookie)
  app.decorateRequest('visit')
  app.decorateRequest('knownChange', 0)

  async function isOwner(request: FastifyRequest): Promise<boolean> {
    const { base, shop } = request.visit
    return base !== '' && (await options.findUserCompany(request)) === shop.company_id
  }

  app.decorateReply('toShop', function toShop(this: FastifyReply, path) {
    return this.redirect(`${this.request.visit.base}${path}`, 303)
  })

  app.decorateReply('leaveCart', async function leaveCart(this: FastifyReply, isCustomer) {
    await options.leaveCart?.(this, isCustomer)
  })

  /** Logs that a theme is broken, and shows its owner where. Undefined for others: they see the page as it was before. */
  async function showFault(reply: FastifyReply, fault: ThemeFault | undefined): Promise<FastifyReply | undefined> {
    if (fault === undefined) return undefined
    const { request } = reply
    request.log.error({ file: fault.file, line: fault.line }, `a theme is broken: ${fault.message}`)
    return (await isOwner(request)) ? send(reply, themeFaultPage(fault), { status: 500 }) : undefined
  }

  /** Makes the function that counts the views of a page. */
  function countViewsOf(request: FastifyRequest, isPrivate = false): (viewer: Viewer) => void {
    const { url, visit, method, headers } = request
    if (method !== 'GET' || visit.isPreview) return () => {}
    const route = routeOf(request)
    const shown = { url, route, acceptLanguage: headers['accept-language'] ?? '', visit, isPrivate }
    return options.countViews?.(shown) ?? (() => {})
  }

  app.decorateReply('shopPage', async function shopPage(this: FastifyReply, template, model, answer = {}) {
    const { request } = this
    const { html, fault } = await maker.makeOwn(request, template, model)
    const shown = await showFault(this, fault)
    if (shown !== undefined) return shown
    const { status = OK, frames = [] } = answer
    if (status === OK) countViewsOf(request, model.page?.is_private)(request)
    const headers = headersIn(request.visit.shop.frame_origins, frames)({})
    return this.code(status)
      .headers({ vary: VARY, ...answer.headers, ...headers })
      .send(html)
  })

  app.decorateReply('sharedPage', async function sharedPage(this: FastifyReply, template, makeModel) {
    const { request } = this
    const key = request.method === 'GET' && !request.visit.isPreview ? guestKey(request) : undefined
    const make = async (): Promise<Made<KeptPage>> => {
      const { html, fault, isPrivate, isCurrent, at } = await maker.makeShared(request, template, makeModel)
      const caching = guestKey(request) === undefined ? PERSONAL : SHORTLY
      const headers = headersIn(request.visit.shop.frame_origins, [])({ caching })
      const { as, size } = createEncodedPage(
        html,
        Object.entries({ ...headers, vary: `${VARY}, accept-encoding` }).flat(),
      )
      const value = { route: routeOf(request), fault, count: countViewsOf(request, isPrivate), as }
      return { value, size: 2 * size, isForOthers: fault === undefined, isCurrent, at }
    }
    const page = key === undefined ? (await make()).value : await pages.share(key, sourceOf(request), make)
    const shown = await showFault(this, page.fault)
    if (shown !== undefined) return shown
    page.count(request)
    return sendKept(this, page.as(chooseEncoding(encodingsOf(request))))
  })

  /** The page for a visitor without a cookie, if one before was shown the same. */
  const findKept: FindAnswer = ({ url, host, ip, headers }) => {
    const key = guestKey({ url, host, headers })
    const kept = key === undefined ? undefined : pages.find(key)
    if (kept === undefined) return undefined
    const { route, count, as } = kept.value
    count({ headers, ip, host })
    const page = as(chooseEncoding(encodingsOf({ headers })))
    return { route, body: page.body, headers: [...page.headers, 'age', String(kept.ageSeconds)] }
  }
  app.answerEarly(findKept)

  app.addHook('onRequest', async (request, reply) => {
    if (options.isForPrograms(request)) return reply.callNotFound()
    const kept = request.method === 'GET' ? findKept(request) : undefined
    if (kept !== undefined) return sendKept(reply, kept)
    request.knownChange = changes.last()
    const own = ownHost(app.baseUrl)
    const { shop: id } = paramsOf(request)
    const address = id === undefined ? { host: request.host, ownHost: own } : { id }
    const shop = await findShop(address, request.knownChange)
    if (shop === undefined && id !== undefined) throw pageNotFound()
    if (shop === undefined) return send(reply, noShopPage(hostName(request.host), own), { status: NOT_FOUND })
    const browser = browserOf(request)
    request.visit = await visitOf(shop, id === undefined ? '' : `/shop/${shop.id}`, browser, request.knownChange)
    const elsewhere = shop.kind === 'access_domain' && SAFE.has(request.method) ? outsideOf(request, app.baseUrl) : ''
    if (elsewhere !== '') return reply.redirect(elsewhere, 302)
    if (shop.shop_offline && !isOfCustomer(request)) {
      if (!(await isOwner(request)))
        // 503, not 200: search engines then keep their index of the shop instead of the message, and nothing is cached.
        return reply.header('retry-after', RETRY_SECONDS).shopPage('offline', {}, { status: UNAVAILABLE })
      request.visit.isPreview = true
    }
    const { 'sec-fetch-site': site, origin } = request.headers
    if (!SAFE.has(request.method) && !isFromSamePage({ site: oneOf(site), origin }, request.host))
      throw formFromElsewhere()
    const signedIn = await options.findCustomer?.(request, request.visit)
    if (signedIn?.session.orderIds === null)
      Object.assign(request.visit, signedIn, languagesFor(shop, browser, signedIn.customer.language))
    else request.visit.guest = signedIn
  })

  // No cache may show others what the owner of a closed shop sees, whatever the route says.
  app.addHook('onSend', (request, reply, _payload, next) => {
    if (request.visit?.isPreview === true) reply.header('cache-control', 'private, no-store')
    next()
  })

  /** Says a failure without the theme. That nothing can be read is said in the visitor's language. */
  function sendPlain(reply: FastifyReply, problem: Problem): FastifyReply {
    const { request } = reply
    if (problem.status !== UNAVAILABLE) return sendProblemPage(send, reply, problem)
    const language = chooseLanguage(AWAY_LANGUAGES, request.visit?.languages ?? wantedLanguages(browserOf(request)))
    const page = awayPage(language, request.id, SAFE.has(request.method))
    return send(reply.headers(problem.headers), page, { status: problem.status })
  }

  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const fault = themes.faultOf(error)
    const problem =
      fault === undefined ? logged(error, request, asProblem(error, request)) : themeBroken(undefined, error)
    if (fault !== undefined) request.log.error({ err: error }, 'a theme is broken')
    reply.headers(problem.headers)
    if (request.visit === undefined) return sendPlain(reply, problem)
    const model = { problem: { status: problem.status, message: problem.message, request_id: request.id } }
    const template = problem.status === NOT_FOUND ? 'not-found' : 'problem'
    try {
      if (fault !== undefined && (await isOwner(request))) return send(reply, themeFaultPage(fault), { status: 500 })
      const page = { title_key: `${template.replace('-', '_')}.title`, is_private: true }
      return await reply.shopPage(template, { ...model, page }, { status: problem.status })
    } catch (second) {
      // The frame of the page is read from the database, too. If that is away, the theme is not to blame.
      const away = asProblem(second as FastifyError)
      if (away?.status === UNAVAILABLE) return sendPlain(reply, away)
      request.log.error({ err: second }, 'the page of a failure failed too')
      return sendPlain(reply, PLAIN.has(problem.status) ? problem : themeBroken())
    }
  })
}

function browserOf(request: FastifyRequest): Browser {
  return {
    acceptLanguage: request.headers['accept-language'] ?? '',
    preferences: readShopCookie(request, PREFERENCES_COOKIE),
    language: queryText(request, 'lang'),
  }
}

const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? '/'

const encodingsOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string => String(headers['accept-encoding'] ?? '')

/** Where a page of the shop is that the domain of My Content does not have; empty if it has the page. */
function outsideOf(request: FastifyRequest, baseUrl: string): string {
  if (/^\/(\?|$)/.test(request.url)) return '/my-content'
  return isOfCustomer(request) ? '' : `${shopOrigin(request.visit.shop, baseUrl)}${request.url}`
}

/** A shop that is closed keeps nothing from those who have bought there, nor does the domain of My Content. */
const OF_CUSTOMERS =
  /^\/(account|customer|icons|login|logout|manifest\.webmanifest|my-content|no-connection|orders|preferences|register|reset|sw\.js)(\/|$)/

function isOfCustomer({ url, visit }: FastifyRequest): boolean {
  const [path = ''] = url.slice(visit.base.length).split('?')
  return OF_CUSTOMERS.test(path)
}

function paramsOf({ params }: FastifyRequest): { shop?: string | undefined } {
  const shop: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'shop') : undefined
  return { shop: typeof shop === 'string' ? shop : undefined }
}

function oneOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join() : value
}

type ShopHandler<Route extends RouteGenericInterface> = RouteOptions<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  Route
>['handler']

/**
 * Adds routes of shops, each written once: `/account` is `/account` on the hosts of shops and `/shop/{id}/account` on the
 * service's own host.
 */
export function shopRoutes(app: FastifyInstance) {
  const add =
    (method: 'GET' | 'POST') =>
    <Route extends RouteGenericInterface = RouteGenericInterface>(
      path: string,
      schema: FastifySchema,
      handler: ShopHandler<Route>,
    ): void => {
      const places = [
        { url: path, site: 'other' },
        { url: `/shop/:shop${path}`, site: 'own' },
        ...(path === '/' ? [{ url: '/shop/:shop', site: 'own' }] : []),
      ]
      for (const { url, site } of places)
        app.route<Route>({
          method,
          url,
          constraints: { site },
          config: { public: true },
          schema: { hide: true, ...schema },
          handler,
        })
    }
  return { get: add('GET'), post: add('POST') }
}
