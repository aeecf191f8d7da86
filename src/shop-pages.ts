import type { FastifyInstance, FastifyRequest } from 'fastify'
import { cartRoutes } from '#checkout/cart-routes.ts'
import { checkoutRoutes } from '#checkout/checkout-routes.ts'
import { changeCart } from '#checkout/commands.ts'
import { orderPageRoutes } from '#checkout/order-routes.ts'
import type { CheckoutOptions } from '#checkout/place.ts'
import { readContents } from '#checkout/queries.ts'
import { restoreRoutes } from '#checkout/reminders/restore-routes.ts'
import { countOf } from '#checkout/rules.ts'
import { dropShopper, shopperOf } from '#checkout/shopper.ts'
import { readCookie } from '#pages/cookies.ts'
import { customerTokenOf } from '#pages/customer-cookie.ts'
import { SESSION_COOKIE } from '#pages/sessions.ts'
import { type Clock, nowInSeconds } from '#platform/clock.ts'
import { tokenHash } from '#platform/crypto.ts'
import type { Db } from '#platform/db/database.ts'
import { namedPlugin } from '#platform/http/named-plugin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { accountRoutes } from '#storefront/account/routes.ts'
import { catalogRoutes } from '#storefront/catalog/routes.ts'
import { installRoutes } from '#storefront/install/routes.ts'
import { myContentRoutes } from '#storefront/my-content/routes.ts'
import { playerRoutes } from '#storefront/player/routes.ts'
import { readerRoutes } from '#storefront/reader/routes.ts'
import { storefrontRoutes } from '#storefront/routes.ts'
import { sampleRoutes } from '#storefront/sample/routes.ts'
import { createSessionFinder } from '#storefront/sessions/finder.ts'
import { sessionRoutes } from '#storefront/sessions/routes.ts'
import { addShopSite } from '#storefront/site.ts'
import type { Themes } from '#storefront/themes/themes.ts'
import { withdrawalPageRoutes } from '#storefront/withdrawal/routes.ts'
import { viewsOf } from '#visits/page-view.ts'
import type { Recorder } from '#visits/recorder.ts'
import { sessionFinder } from './sessions.ts'

type ShopPagesOptions = Pick<ResourceOptions, 'notices' | 'vault' | 'files' | 'outbound' | 'serviceUrls'> & {
  db: Db
  reads: Db
  clock: Clock
  themes: Themes
  pageViews: Pick<Recorder, 'add' | 'findLanding'>
  /** Is the address part of the API? */
  isForPrograms: (request: FastifyRequest) => boolean
}

/** Registers the pages of shops. They contain no secrets of the service, so they are shown over http too. */
export async function addShopPages(
  app: FastifyInstance,
  {
    db,
    reads,
    notices,
    clock,
    themes,
    pageViews,
    isForPrograms,
    vault,
    files,
    outbound,
    serviceUrls,
  }: ShopPagesOptions,
): Promise<void> {
  const findSession = sessionFinder({ db, reads, clock })
  const now = () => nowInSeconds(clock)
  const findCustomerSession = createSessionFinder({ db: reads, now, change: app.change })
  await addShopSite(app, {
    db: reads,
    notices,
    themes,
    isForPrograms,
    features: { search: true, checkout: true, account: true, content: true, withdrawal: true },
    countCart: async (request) => countOf((await readContents(reads, shopperOf(request))).lines),
    async leaveCart(reply, isCustomer) {
      const shopper = shopperOf(reply.request)
      if (shopper.token === undefined) return
      // The customer's own cart takes in what was chosen before the customer signed in.
      if (isCustomer && shopper.customerId !== undefined)
        await app.change((tx) => changeCart(tx, shopper, (cart) => cart, now()))
      dropShopper(reply)
    },
    countViews(shown) {
      const viewOf = viewsOf(shown)
      return (viewer) => {
        const view = viewOf(viewer, clock.now())
        if (view !== undefined) pageViews.add(view)
      }
    },
    async findCustomer(request, { shop, base }) {
      const token = customerTokenOf(request, { base })
      return token === undefined ? undefined : findCustomerSession(shop, token)
    },
    async findUserCompany(request) {
      const token = readCookie(request, SESSION_COOKIE)
      const session = token === undefined ? undefined : await findSession(tokenHash(token))
      return session?.secondFactorDue === false ? session.companyId : undefined
    },
  })
  /** A purchase does not fail because nobody knows where the customer came from. */
  const findLanding: CheckoutOptions['findLanding'] = (companyId, browser) =>
    pageViews.findLanding(companyId, browser, clock.now()).catch((error) => {
      app.log.warn({ err: error }, 'the visit of a customer could not be found')
      return undefined
    })
  const options = { db: reads, now, vault, files, outbound, serviceUrls, findLanding }
  for (const routes of [cartRoutes, restoreRoutes, checkoutRoutes, orderPageRoutes])
    await app.register(namedPlugin(routes), options)
  for (const routes of [
    catalogRoutes,
    storefrontRoutes,
    sessionRoutes,
    accountRoutes,
    myContentRoutes,
    playerRoutes,
    readerRoutes,
    sampleRoutes,
  ])
    await app.register(namedPlugin(routes), options)
  await app.register(withdrawalPageRoutes, options)
  await app.register(installRoutes, { themes, files })
}
