import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { PagePolicy } from '#pages/policy.ts'
import { addPages } from '#pages/site.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { hostName, ownHost } from '#platform/own-address.ts'
import { findStorefront } from './queries.ts'
import { noShopPage, nothingHerePage, offlinePage, openPage } from './views.ts'

/** Whoever is there on hosts that are not the service's own; what is there on every host goes first. */
const onShopHosts = { config: { public: true }, schema: { hide: true }, constraints: { site: 'other' } } as const

const NOT_FOUND = 404
const UNAVAILABLE = 503

/** Nobody knows when a shop comes back; an hour keeps those away who ask again and again. */
const RETRY_SECONDS = '3600'

/** What a shop says of itself may be a minute old. */
const SHORTLY = 'public, max-age=60'

/** The pages of shops need no script, nothing from elsewhere, and no other page around them. */
const POLICY: PagePolicy = {
  scripts: [],
  styles: ["'self'"],
  images: ["'self'", 'data:'],
  formActions: ["'self'"],
  frameAncestors: [],
}

export type StorefrontOptions = Pick<ResourceOptions, 'db'> & {
  /** Is the address one at which programs talk to programs? */
  isForPrograms: (request: FastifyRequest) => boolean
}

/** The pages of shops, each on its own hosts. They carry no secrets, so they are shown over http too. */
export const storefrontRoutes: FastifyPluginCallback<StorefrontOptions> = (app, { db, isForPrograms }, done) => {
  addPages(app, { policy: POLICY })

  app.get('/*', onShopHosts, async (request, reply) => {
    if (isForPrograms(request)) return reply.callNotFound()
    const own = ownHost(app.baseUrl)
    const visit = { host: hostName(request.host), acceptLanguage: request.headers['accept-language'] ?? '' }
    const shop = await findStorefront(db, request.host, own)
    if (shop === undefined) return reply.page(noShopPage(visit, own), { status: NOT_FOUND })
    reply.header('vary', 'accept-language')
    // 503, not 200: search engines keep what they know of the shop instead of the message, and nobody keeps a copy.
    if (shop.shop_offline)
      return reply.header('retry-after', RETRY_SECONDS).page(offlinePage(shop, visit), { status: UNAVAILABLE })
    if (request.url.split('?')[0] !== '/') return reply.page(nothingHerePage(shop, visit), { status: NOT_FOUND })
    return reply.page(openPage(shop, visit), { caching: SHORTLY })
  })

  done()
}
