import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { PagePolicy } from '#pages/policy.ts'
import { addPages } from '#pages/site.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { hostName, ownHost } from '#platform/own-address.ts'
import { findStorefront } from './queries.ts'
import { noShopPage, nothingHerePage, offlinePage, openPage } from './views.ts'

/** Routes on hosts that are not the service's own; routes that exist on every host take precedence. */
const onShopHosts = { config: { public: true }, schema: { hide: true }, constraints: { site: 'other' } } as const

const NOT_FOUND = 404
const UNAVAILABLE = 503

/** The end of a shop's closure is not known; an hour keeps crawlers from asking again and again. */
const RETRY_SECONDS = '3600'

/** The texts of a shop may be cached for a minute. */
const SHORTLY = 'public, max-age=60'

/** The pages of shops need no script, load nothing from elsewhere, and cannot be framed. */
const POLICY: PagePolicy = {
  scripts: [],
  styles: ["'self'"],
  images: ["'self'", 'data:'],
  formActions: ["'self'"],
  frameAncestors: [],
}

export type StorefrontOptions = Pick<ResourceOptions, 'db'> & {
  /** Is the address part of the API? */
  isForPrograms: (request: FastifyRequest) => boolean
}

/** The pages of shops, each on its own hosts. They contain no secrets, so they are shown over http too. */
export const storefrontRoutes: FastifyPluginCallback<StorefrontOptions> = (app, { db, isForPrograms }, done) => {
  addPages(app, { policy: POLICY })

  app.get('/*', onShopHosts, async (request, reply) => {
    if (isForPrograms(request)) return reply.callNotFound()
    const own = ownHost(app.baseUrl)
    const visit = { host: hostName(request.host), acceptLanguage: request.headers['accept-language'] ?? '' }
    const shop = await findStorefront(db, request.host, own)
    if (shop === undefined) return reply.page(noShopPage(visit, own), { status: NOT_FOUND })
    reply.header('vary', 'accept-language')
    // 503, not 200: search engines then keep their index of the shop instead of the message, and nothing is cached.
    if (shop.shop_offline)
      return reply.header('retry-after', RETRY_SECONDS).page(offlinePage(shop, visit), { status: UNAVAILABLE })
    if (request.url.split('?')[0] !== '/') return reply.page(nothingHerePage(shop, visit), { status: NOT_FOUND })
    return reply.page(openPage(shop, visit), { caching: SHORTLY })
  })

  done()
}
