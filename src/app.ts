import type { FastifyInstance, FastifyRequest } from 'fastify'
import { auditRoutes } from '#audit/routes.ts'
import { AuditEntry } from '#audit/schema.ts'
import { categoryRoutes } from '#categories/routes.ts'
import { Category } from '#categories/schema.ts'
import { companyRoutes } from '#companies/routes.ts'
import { Company } from '#companies/schema.ts'
import { currencyRateRoutes } from '#currency-rates/routes.ts'
import { CurrencyRate } from '#currency-rates/schema.ts'
import { customerAddressRoutes } from '#customers/addresses/routes.ts'
import { CustomerAddress } from '#customers/addresses/schema.ts'
import { customerRoutes } from '#customers/routes.ts'
import { Customer, PasswordDiffers } from '#customers/schema.ts'
import { ledgerRoutes } from '#ledger/routes.ts'
import { LedgerEntry } from '#ledger/schema.ts'
import { licenseRoutes } from '#licenses/routes.ts'
import { License } from '#licenses/schema.ts'
import { marketplaceRoutes } from '#marketplace/routes.ts'
import { MarketplaceEntry, OfferedProduct, TakenProduct } from '#marketplace/schema.ts'
import { REVOKED_CHANNEL } from '#oauth/commands.ts'
import { exchangeRoutes } from '#oauth/exchange/routes.ts'
import { findCaller } from '#oauth/queries.ts'
import { oauthRoutes } from '#oauth/routes.ts'
import { OAuthErrorBody, TokenAnswer, TokenInformation } from '#oauth/schema.ts'
import { fulfillmentRoutes } from '#orders/fulfillments/routes.ts'
import { Fulfillment } from '#orders/fulfillments/schema.ts'
import { refundRoutes } from '#orders/refunds/routes.ts'
import { Refund } from '#orders/refunds/schema.ts'
import { orderRoutes } from '#orders/routes.ts'
import { Order } from '#orders/schema.ts'
import { createNotFoundPage } from '#pages/problem-pages.ts'
import { addStylesheet } from '#pages/site.ts'
import { pictureRoutes } from '#pictures/routes.ts'
import type { Clock } from '#platform/clock.ts'
import { nowInSeconds } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Db } from '#platform/db/database.ts'
import type { Notices } from '#platform/db/notices.ts'
import type { Files } from '#platform/files.ts'
import { addOpenApi } from '#platform/http/openapi.ts'
import { createServer } from '#platform/http/server.ts'
import type { Log } from '#platform/log.ts'
import type { Metrics } from '#platform/metrics.ts'
import type { Vault } from '#platform/vault.ts'
import { Count, Empty } from '#platform/wire-schema.ts'
import { priceRoutes } from '#prices/routes.ts'
import { Price } from '#prices/schema.ts'
import { productRoutes } from '#products/routes.ts'
import { Product } from '#products/schema.ts'
import { storefrontRoutes } from '#storefront/routes.ts'
import { themeSettingRoutes } from '#theme-settings/routes.ts'
import { ThemeSetting } from '#theme-settings/schema.ts'
import { userRoutes } from '#users/routes.ts'
import { User } from '#users/schema.ts'
import { accountSite, addAccountPages } from './account-pages.ts'
import { api } from './api.ts'

export type AppDependencies = {
  db: Db
  reads: Db
  notices: Notices
  vault: Vault
  clock: Clock
  log: Log
  metrics: Metrics
  files: Files
  config: Pick<Config, 'rateLimit' | 'bodyLimitBytes' | 'metricsToken' | 'trustProxy'>
}

/** Below these, programs talk to programs: a browser gets JSON there too. */
const FOR_PROGRAMS = /^\/(api|admin|token|oauth2)(?![\w-])/

function isForPrograms({ url }: FastifyRequest): boolean {
  return FOR_PROGRAMS.test(url)
}

/** These addresses end in a token that lets somebody in. */
const SECRET_PATHS = [
  '/reset/:token',
  '/invitation/:token',
  '/first-run/:token',
  '/customer/:token',
  '/api/customers/login/:id/:token',
]

/** Builds the HTTP service from what it needs; names every resource, in the interface's order. */
export async function createApp({
  db,
  reads,
  notices,
  vault,
  clock,
  log,
  metrics,
  files,
  config,
}: AppDependencies): Promise<FastifyInstance> {
  const notFoundPage = createNotFoundPage({ ...accountSite, isForPrograms })
  const app = await createServer({
    db,
    reads,
    clock,
    log,
    metrics,
    ...config,
    findCaller: (token) => findCaller(reads, token),
    whenRevoked: (forget) => notices.on(REVOKED_CHANNEL, forget),
    notFoundPage,
    secretPaths: SECRET_PATHS,
  })
  await addOpenApi(app, api, notFoundPage)
  for (const schema of [
    Count,
    Empty,
    Order,
    Refund,
    CustomerAddress,
    Customer,
    PasswordDiffers,
    Product,
    Category,
    ThemeSetting,
    License,
    Price,
    CurrencyRate,
    Fulfillment,
    MarketplaceEntry,
    OfferedProduct,
    TakenProduct,
    LedgerEntry,
    Company,
    User,
    AuditEntry,
    TokenInformation,
    TokenAnswer,
    OAuthErrorBody,
  ])
    app.addSchema(schema)
  const resource = { db: reads, now: () => nowInSeconds(clock), prefix: '/api' }
  await app.register(orderRoutes, resource)
  await app.register(refundRoutes, resource)
  await app.register(customerRoutes, resource)
  await app.register(customerAddressRoutes, resource)
  await app.register(productRoutes, resource)
  await app.register(categoryRoutes, resource)
  await app.register(themeSettingRoutes, resource)
  await app.register(licenseRoutes, resource)
  await app.register(priceRoutes, resource)
  await app.register(currencyRateRoutes, resource)
  await app.register(fulfillmentRoutes, resource)
  await app.register(marketplaceRoutes, resource)
  await app.register(ledgerRoutes, resource)
  await app.register(companyRoutes, resource)
  await app.register(userRoutes, resource)
  await app.register(auditRoutes, resource)
  await app.register(oauthRoutes, resource)
  await app.register(exchangeRoutes, { db: reads, now: () => nowInSeconds(clock) })
  await app.register(pictureRoutes(files))
  addStylesheet(app)
  await app.register((pages) => addAccountPages(pages, { db, reads, clock, vault }))
  await app.register(storefrontRoutes, { db: reads, isForPrograms })
  return app
}
