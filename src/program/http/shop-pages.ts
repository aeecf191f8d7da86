import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify'
import { viewsOf } from '#insight/visits/page-view.routes.ts'
import type { Recorder } from '#insight/visits/recorder.worker.ts'
import { customerTokenOf } from '#people/customers/cookie.site.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { namedPlugin } from '#platform/http/named-plugin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import { readCookie } from '#platform/pages/cookies.ts'
import { SESSION_COOKIE } from '#platform/pages/sessions.ts'
import { cancellationPageRoutes } from '#shop/account/cancellation/routes.ts'
import { accountDetailRoutes } from '#shop/account/details/routes.ts'
import { accountRoutes } from '#shop/account/routes.ts'
import { subscriptionMeansRoutes } from '#shop/account/subscriptions/means.routes.ts'
import { subscriptionPayRoutes } from '#shop/account/subscriptions/pay.routes.ts'
import { subscriptionPlanRoutes } from '#shop/account/subscriptions/plan.routes.ts'
import { accountSubscriptionRoutes } from '#shop/account/subscriptions/routes.ts'
import { withdrawalPageRoutes } from '#shop/account/withdrawal/routes.ts'
import { clubRoutes } from '#shop/catalog-pages/memberships/routes.ts'
import { catalogRoutes } from '#shop/catalog-pages/routes.ts'
import { cartRoutes } from '#shop/checkout/cart/routes.ts'
import { checkoutRoutes } from '#shop/checkout/checkout.routes.ts'
import { changeCart } from '#shop/checkout/commands.ts'
import { orderPageRoutes } from '#shop/checkout/order.routes.ts'
import type { CheckoutOptions } from '#shop/checkout/place.commands.ts'
import { joinRoutes } from '#shop/checkout/plans/routes.ts'
import { readContents } from '#shop/checkout/queries.ts'
import { restoreRoutes } from '#shop/checkout/reminders/restore.routes.ts'
import { countOf } from '#shop/checkout/rules.ts'
import { dropShopper, shopperOf } from '#shop/checkout/shopper.site.ts'
import { giftRoutes } from '#shop/library/gift/routes.ts'
import { membershipPageRoutes } from '#shop/library/memberships/routes.ts'
import { openRoutes } from '#shop/library/my-content/open.routes.ts'
import { myContentRoutes } from '#shop/library/my-content/routes.ts'
import { playerRoutes } from '#shop/library/player/routes.ts'
import { readerRoutes } from '#shop/library/reader/routes.ts'
import { readingAppRoutes } from '#shop/library/reading-apps/routes.ts'
import { sampleRoutes } from '#shop/library/sample/routes.ts'
import { clearKeyRoutes } from '#shop/library/stream/clear-key.routes.ts'
import { licenseRoutes } from '#shop/library/stream/licenses.routes.ts'
import { streamRoutes } from '#shop/library/stream/routes.ts'
import { reviewPageRoutes } from '#shop/reviews/routes.ts'
import { handoverRoutes } from '#shop/sign-in/handover/routes.ts'
import { createSessionFinder } from '#shop/sign-in/sessions/finder.commands.ts'
import { sessionRoutes } from '#shop/sign-in/sessions/routes.ts'
import { installRoutes } from '#shop/site/install/routes.ts'
import { storefrontRoutes } from '#shop/site/routes.ts'
import { addShopSite } from '#shop/site/site.ts'
import type { Themes } from '#shop/themes/themes.theme.ts'
import { wishListRoutes } from '#shop/wish-list/routes.ts'
import { sessionFinder } from './sessions.ts'

type ShopPagesOptions = Pick<
  ResourceOptions,
  'notices' | 'vault' | 'files' | 'outbound' | 'serviceUrls' | 'drmProxy'
> & {
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
    drmProxy,
  }: ShopPagesOptions,
): Promise<void> {
  const findSession = sessionFinder({ db, reads, clock })
  const now = clock.of
  const findCustomerSession = createSessionFinder({ db: reads, clock, change: app.change })
  await addShopSite(app, {
    db: reads,
    clock,
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
        await app.change((tx) => changeCart(tx, shopper, (cart) => cart, now(shopper.companyId)))
      dropShopper(reply)
    },
    countViews(shown) {
      const viewOf = viewsOf(shown)
      return (viewer) => {
        const view = viewOf(viewer, clock.of(shown.visit.shop.company_id))
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
      return session?.secondFactorDue === false && !session.secondFactorMissing ? session.actsForId : undefined
    },
  })
  /** A purchase does not fail because nobody knows where the customer came from. */
  const findLanding: CheckoutOptions['findLanding'] = (companyId, browser) =>
    pageViews.findLanding(companyId, browser, clock.of(companyId)).catch((error) => {
      app.log.warn({ err: error }, 'the visit of a customer could not be found')
      return undefined
    })
  const options = { db: reads, now, clock, vault, files, outbound, serviceUrls, drmProxy, findLanding }
  const pages: FastifyPluginCallback<typeof options>[] = [
    cartRoutes,
    restoreRoutes,
    checkoutRoutes,
    orderPageRoutes,
    joinRoutes,
    catalogRoutes,
    clubRoutes,
    reviewPageRoutes,
    wishListRoutes,
    storefrontRoutes,
    sessionRoutes,
    handoverRoutes,
    accountRoutes,
    accountDetailRoutes,
    accountSubscriptionRoutes,
    subscriptionPlanRoutes,
    subscriptionMeansRoutes,
    subscriptionPayRoutes,
    giftRoutes,
    openRoutes,
    myContentRoutes,
    readingAppRoutes,
    membershipPageRoutes,
    playerRoutes,
    streamRoutes,
    clearKeyRoutes,
    licenseRoutes,
    readerRoutes,
    sampleRoutes,
    withdrawalPageRoutes,
    cancellationPageRoutes,
  ]
  for (const routes of pages) await app.register(namedPlugin(routes), options)
  await app.register(installRoutes, { themes, files })
}
