import type { FastifyInstance, FastifyRequest } from 'fastify'
import { cartRoutes } from '#checkout/cart-routes.ts'
import { checkoutRoutes } from '#checkout/checkout-routes.ts'
import { orderPageRoutes } from '#checkout/order-routes.ts'
import { readContents } from '#checkout/queries.ts'
import { countOf } from '#checkout/rules.ts'
import { shopperOf } from '#checkout/shopper.ts'
import { readCookie } from '#pages/cookies.ts'
import { SESSION_COOKIE } from '#pages/sessions.ts'
import { type Clock, nowInSeconds } from '#platform/clock.ts'
import { tokenHash } from '#platform/crypto.ts'
import type { Db } from '#platform/db/database.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { catalogRoutes } from '#storefront/catalog/routes.ts'
import { storefrontRoutes } from '#storefront/routes.ts'
import { addShopSite } from '#storefront/site.ts'
import type { Themes } from '#storefront/themes/themes.ts'
import { sessionFinder } from './sessions.ts'

type ShopPagesOptions = Pick<ResourceOptions, 'vault' | 'outbound' | 'serviceUrls'> & {
  db: Db
  reads: Db
  clock: Clock
  themes: Themes
  /** Is the address part of the API? */
  isForPrograms: (request: FastifyRequest) => boolean
}

/** Registers the pages of shops. They contain no secrets of the service, so they are shown over http too. */
export async function addShopPages(
  app: FastifyInstance,
  { db, reads, clock, themes, isForPrograms, vault, outbound, serviceUrls }: ShopPagesOptions,
): Promise<void> {
  const findSession = sessionFinder({ db, reads, clock })
  await addShopSite(app, {
    db: reads,
    themes,
    isForPrograms,
    features: { search: true, checkout: true },
    countCart: async (request) => countOf((await readContents(reads, shopperOf(request))).lines),
    async findUserCompany(request) {
      const token = readCookie(request, SESSION_COOKIE)
      const session = token === undefined ? undefined : await findSession(tokenHash(token))
      return session?.secondFactorDue === false ? session.companyId : undefined
    },
  })
  const options = { db: reads, now: () => nowInSeconds(clock), vault, outbound, serviceUrls }
  await app.register(cartRoutes, options)
  await app.register(checkoutRoutes, options)
  await app.register(orderPageRoutes, options)
  await app.register(catalogRoutes, options)
  await app.register(storefrontRoutes, options)
}
