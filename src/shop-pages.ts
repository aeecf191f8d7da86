import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readCookie } from '#pages/cookies.ts'
import { SESSION_COOKIE } from '#pages/sessions.ts'
import { type Clock, nowInSeconds } from '#platform/clock.ts'
import { tokenHash } from '#platform/crypto.ts'
import type { Db } from '#platform/db/database.ts'
import { catalogRoutes } from '#storefront/catalog/routes.ts'
import { storefrontRoutes } from '#storefront/routes.ts'
import { addShopSite } from '#storefront/site.ts'
import type { Themes } from '#storefront/themes/themes.ts'
import { sessionFinder } from './sessions.ts'

type ShopPagesOptions = {
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
  { db, reads, clock, themes, isForPrograms }: ShopPagesOptions,
): Promise<void> {
  const findSession = sessionFinder({ db, reads, clock })
  await addShopSite(app, {
    db: reads,
    themes,
    isForPrograms,
    features: { search: true },
    async findUserCompany(request) {
      const token = readCookie(request, SESSION_COOKIE)
      const session = token === undefined ? undefined : await findSession(tokenHash(token))
      return session?.secondFactorDue === false ? session.companyId : undefined
    },
  })
  const options = { db: reads, now: () => nowInSeconds(clock) }
  await app.register(catalogRoutes, options)
  await app.register(storefrontRoutes, options)
}
