import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createKnownChanges } from '#history/events/shop-changes.cache.ts'
import { readForms } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { createSendPage } from '#platform/pages/answers.ts'
import { createShopCache } from '#shop/cache/cache.ts'
import type { Themes } from '#shop/themes/themes.theme.ts'
import { addFailurePages, createShowFault } from './answers/failures.site.ts'
import { SITE } from './answers/headers.site.ts'
import { createKeptPages } from './answers/kept-pages.site.ts'
import { createPageMaker } from './answers/page-maker.site.ts'
import { addShopReplies } from './answers/replies.site.ts'
import type { CountViews } from './answers/viewers.site.ts'
import type { ShopVisit } from './state.ts'
import { addVisits, type SignedIn } from './visits/visits.site.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Takes the cart out of the browser of somebody who signs out; of a customer, unless the account is gone. */
    leaveCart(isCustomer: boolean): Promise<void>
  }
}

export type ShopSiteOptions = Pick<ResourceOptions, 'db' | 'clock' | 'notices'> & {
  themes: Themes
  /** Is the address part of the API? */
  isForPrograms: (request: FastifyRequest) => boolean
  /** The company of the admin user who is signed in in this browser, on the service's own host. */
  findUserCompany: (request: FastifyRequest) => Promise<number | undefined>
  /** The customer who is signed in, by a cookie of the shop. */
  findCustomer?: (request: FastifyRequest, visit: ShopVisit) => Promise<SignedIn | undefined>
  countViews?: CountViews
  /** The number of things in the visitor's cart. */
  countCart?: (request: FastifyRequest) => Promise<number>
  /** Takes the cart out of a browser in which somebody signs out. A customer who stays one finds it again after signing in. */
  leaveCart?: (reply: FastifyReply, isCustomer: boolean) => Promise<void>
  /** What the shop can do beyond showing things. Templates ask for it, so that there is no button without a page. */
  features?: Readonly<Record<string, boolean>>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Has a user of the company that the shop belongs to signed in? Below the service's own host only. */
    isShopOwner(request: FastifyRequest): Promise<boolean>
  }
}

/** Makes the routes of this context pages of shops. Register it before any `shopRoutes`. */
export async function addShopSite(app: FastifyInstance, options: ShopSiteOptions): Promise<void> {
  const { db, clock, notices, themes, features = {}, countCart = async () => 0, countViews, findUserCompany } = options
  const send = createSendPage(SITE)
  const changes = createKnownChanges(notices)
  const cache = createShopCache(changes)
  const maker = createPageMaker({ themes, features, countCart, cache, baseUrl: () => app.baseUrl })
  const findKept = createKeptPages(cache)

  async function isOwner(request: FastifyRequest): Promise<boolean> {
    const { base, shop } = request.visit
    return base !== '' && (await findUserCompany(request)) === shop.company_id
  }

  app.decorate('isShopOwner', isOwner)
  app.removeAllContentTypeParsers()
  readForms(app)
  await app.register(cookie)
  app.answerEarly(findKept)
  const { isForPrograms, findCustomer } = options
  addVisits(app, { db, clock, changes, cache, send, findKept, isForPrograms, isOwner, findCustomer })
  addShopReplies(app, { cache, maker, countViews, showFault: createShowFault({ send, isOwner }) })
  addFailurePages(app, { themes, send, isOwner })
  app.decorateReply('leaveCart', async function leaveCart(this: FastifyReply, isCustomer) {
    await options.leaveCart?.(this, isCustomer)
  })
}
