import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findCaller } from '#apps/oauth/queries.ts'
import { pictureRoutes } from '#catalog/pictures/routes.ts'
import { REVOKED_CHANNEL } from '#identity/grants/commands.ts'
import { createRecorder, type Recorder } from '#insight/visits/recorder.worker.ts'
import { newsletterRoutes } from '#people/audience/newsletter/routes.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { createHeavyReads } from '#platform/db/heavy-reads.ts'
import type { Notices } from '#platform/db/notices/notices.ts'
import { preferStandby, type ReadPlace } from '#platform/db/standby.ts'
import type { Files } from '#platform/files/files.ts'
import { namedPlugin } from '#platform/http/named-plugin.ts'
import { addOpenApi } from '#platform/http/openapi/openapi.ts'
import { createServer } from '#platform/http/server.ts'
import type { Vault } from '#platform/identity/vault.ts'
import type { Log } from '#platform/log/log.ts'
import type { Metrics } from '#platform/log/metrics.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { createAddressPage } from '#platform/pages/problem-pages.ts'
import { addStylesheet } from '#platform/pages/site.ts'
import type { Config } from '#platform/settings/config.ts'
import { Count, Empty } from '#platform/wire/schema.ts'
import { accountSite, addAccountPages } from '#program/http/account-pages.ts'
import { addAdminRoutes } from '#program/http/admin-api.ts'
import { addAdminSite } from '#program/http/admin-site.ts'
import { api } from '#program/http/api.ts'
import { measuresOf } from '#program/http/measures.ts'
import { addShopPages } from '#program/http/shop-pages.ts'
import { addStatusPage } from '#program/status/page.ts'
import { createReaderAssets } from '#shop/library/reader/assets.files.ts'
import { readerFrameRoutes } from '#shop/library/reader/frame.routes.ts'
import { engineRoutes } from '#shop/library/stream/routes.ts'
import { shopLoginRoutes } from '#shop/sign-in/login/routes.ts'
import { themeAssetRoutes } from '#shop/site/assets.routes.ts'
import { openThemes } from '#shop/themes/themes.theme.ts'
import { RESOURCES } from './resources.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The page views of shops that are still to be written. */
    pageViews: Recorder
  }
}

export type AppDependencies = {
  db: Db
  reads: Db
  /** Where reads that take long may go; absent: there is no standby. */
  standby?: ReadPlace | undefined
  notices: Notices
  vault: Vault
  clock: Clock
  log: Log
  metrics: Metrics
  files: Files
  outbound: Outbound
  /** How long page views are kept in memory before they are written. */
  pageViewsMs?: number
  /** Where themes are, and how often their files are looked at. */
  themeOptions?: Parameters<typeof openThemes>[0]
  config: Pick<
    Config,
    | 'rateLimit'
    | 'bodyLimitBytes'
    | 'connections'
    | 'shedding'
    | 'metricsToken'
    | 'trustProxy'
    | 'transfers'
    | 'reading'
    | 'drmProxy'
    | 'serviceUrls'
    | 'mail'
    | 'deletion'
    | 'backups'
  > & { statusPage?: boolean }
}

/**
 * Addresses below these belong to the API: a browser gets JSON there too. Below /admin, only /admin/api and what ends in
 * `.json` does; the rest belongs to people.
 */
const FOR_PROGRAMS = /^\/(api|admin\/api|token|oauth2)(?![\w-])|^\/admin\/[^?]*\.json(?=\?|$)/

function isForPrograms({ url }: FastifyRequest): boolean {
  return FOR_PROGRAMS.test(url)
}

/** These addresses end in a secret token. */
const SECRET_PATHS = [
  '/shop/:shop~:token',
  '/reset/:token',
  '/invitation/:token',
  '/first-run/:token',
  '/demo/:token',
  '/customer/:token',
  '/login/:token',
  '/register/:token',
  '/shop/:shop/customer/:token',
  '/shop/:shop/login/:token',
  '/shop/:shop/register/:token',
  '/oauth2/player/:token',
  '/cart-reminders/stop/:token',
  '/cart/restore/:token',
  '/shop/:shop/cart/restore/:token',
  '/newsletter/confirm/:token',
  '/newsletter/unsubscribe/:token',
  '/invoices/:company/:id/:signature',
  '/orders/:token',
  '/shop/:shop/orders/:token',
  '/subscriptions/:token',
  '/shop/:shop/subscriptions/:token',
  '/gifts/:token',
  '/shop/:shop/gifts/:token',
  '/handover/take/:token',
  '/shop/:shop/handover/take/:token',
  '/read/:token',
  '/lcp/:company/:token',
  '/api/customers/login/:id/:token',
  '/api2/customers/login/:id/:token',
  // The id may be empty.
  '/api/customers/login/:token',
  '/api2/customers/login/:token',
]

/** Only a token or a signature gives access to these, and no cookie, so pages of any origin may use them. */
const SHARED_PATHS = ['/api', '/files', '/lcp', '/token', '/openapi.json', '/.well-known']

/** Published clients mix these. */
const OTHER_PATHS = { '/api2': '/api' }

/** Builds the HTTP service from its dependencies; registers every resource, in the order of the API. */
export async function createApp({
  db,
  reads,
  standby,
  notices,
  vault,
  clock,
  log,
  metrics,
  files,
  outbound,
  pageViewsMs,
  themeOptions,
  config,
}: AppDependencies): Promise<FastifyInstance> {
  const addressPage = createAddressPage({ ...accountSite, isForPrograms })
  const app = await createServer({
    db,
    reads,
    clock,
    log,
    metrics,
    ...config,
    permissionsAlways: ['web_access'],
    findCaller: (token) => findCaller(reads, token),
    whenRevoked: (forget) => notices.on(REVOKED_CHANNEL, forget),
    addressPage,
    fingerprintKey: vault.key('idempotency fingerprints'),
    secretPaths: SECRET_PATHS,
    sharedPaths: SHARED_PATHS,
    otherPaths: OTHER_PATHS,
  })
  metrics.measure({ db: reads, now: clock.now, measures: measuresOf(RESOURCES) })
  await addOpenApi(app, api)
  for (const schema of [Count, Empty, ...RESOURCES.flatMap(({ schemas }) => schemas ?? [])]) app.addSchema(schema)
  const { transfers, reading, drmProxy, serviceUrls, mail, deletion, backups } = config
  const choosePlace =
    standby === undefined
      ? undefined
      : preferStandby({ db, reads }, standby, (place, err) => {
          metrics.choseStandby(place === 'standby')
          if (err !== undefined) log.warn({ err }, 'the standby is not read for some seconds')
        })
  const options = {
    db: reads,
    longReads: async () => (await choosePlace?.())?.reads ?? reads,
    heavyReads: createHeavyReads(db, choosePlace),
    now: clock.of,
    clock,
    notices,
    vault,
    files,
    transfers,
    reading,
    drmProxy,
    deletion,
    backups,
    outbound,
    serviceUrls,
    sendsMails: mail !== undefined,
  }
  for (const { routes = [], appRoutes = [], rootRoutes = [] } of RESOURCES) {
    for (const plugin of [...routes, ...appRoutes])
      await app.register(namedPlugin(plugin), { ...options, prefix: api.prefixes.apps })
    for (const plugin of rootRoutes) await app.register(namedPlugin(plugin), options)
  }
  await app.register(pictureRoutes(files))
  addStylesheet(app, '/favicon.ico')
  await app.register((pages) => addAccountPages(pages, { db, reads, clock, vault }))
  await app.register((site) => addAdminSite(site, { db, reads, clock, vault, isForPrograms }))
  await app.register(namedPlugin(newsletterRoutes), options)
  if (config.statusPage === true)
    await app.register(async (page) => addStatusPage(page, { db, reads, clock, site: accountSite }))
  await app.register((admin) => addAdminRoutes(admin, { db, reads, clock, resourceOptions: options }))
  await app.register(shopLoginRoutes, { ...options, prefix: '/api' })
  const pageViews = createRecorder({
    db,
    reads,
    clock,
    log,
    metrics,
    ...(pageViewsMs === undefined ? {} : { flushMs: pageViewsMs }),
  })
  app.decorate('pageViews', pageViews)
  app.addHook('onClose', () => pageViews.stop())
  const themes = openThemes(themeOptions)
  await app.register(themeAssetRoutes, { themes })
  await app.register(engineRoutes)
  await app.register(readerFrameRoutes, { ...options, assets: createReaderAssets() })
  await app.register((shops) =>
    addShopPages(shops, {
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
    }),
  )
  return app
}
