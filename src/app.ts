import type { FastifyInstance } from 'fastify'
import { categoryRoutes } from '#categories/routes.ts'
import { Category } from '#categories/schema.ts'
import { companyRoutes } from '#companies/routes.ts'
import { Company } from '#companies/schema.ts'
import { findCaller } from '#oauth/queries.ts'
import { oauthRoutes } from '#oauth/routes.ts'
import { TokenInformation } from '#oauth/schema.ts'
import { SCOPES } from '#oauth/scopes.ts'
import { pictureRoutes } from '#pictures/routes.ts'
import type { Clock } from '#platform/clock.ts'
import { nowInSeconds } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Db } from '#platform/db/database.ts'
import type { Files } from '#platform/files.ts'
import { addOpenApi } from '#platform/http/openapi.ts'
import { createServer } from '#platform/http/server.ts'
import type { Log } from '#platform/log.ts'
import type { Metrics } from '#platform/metrics.ts'
import { Count, Empty } from '#platform/wire-schema.ts'
import { productRoutes } from '#products/routes.ts'
import { Product } from '#products/schema.ts'
import { userRoutes } from '#users/routes.ts'
import { User } from '#users/schema.ts'
import { VERSION } from './version.ts'

export type AppDependencies = {
  db: Db
  reads: Db
  clock: Clock
  log: Log
  metrics: Metrics
  files: Files
  config: Pick<Config, 'rateLimit' | 'bodyLimitBytes' | 'metricsToken'>
}

const api = {
  title: 'Licet',
  version: VERSION,
  description:
    'Sells digital content, physical goods and services, and controls access to content through licenses.\n\nBodies are JSON. A single resource is wrapped in a key named after it, a list in the plural. Times are GMT, `YYYY-MM-DDThh:mm:ss`. Money is in cents.',
  tags: [
    { name: 'Products', description: 'What is for sale.' },
    { name: 'Categories', description: 'How products are ordered in the shop.' },
    { name: 'Companies', description: 'Shop owners.' },
    { name: 'Users', description: 'The people who run a shop.' },
    { name: 'Token information', description: 'What an access token is good for.' },
  ],
  scopes: SCOPES,
}

/** Builds the HTTP service from what it needs; names every resource, in the interface's order. */
export async function createApp({
  db,
  reads,
  clock,
  log,
  metrics,
  files,
  config,
}: AppDependencies): Promise<FastifyInstance> {
  const app = await createServer({
    db,
    reads,
    clock,
    log,
    metrics,
    ...config,
    findCaller: (token) => findCaller(reads, token),
  })
  await addOpenApi(app, api)
  for (const schema of [Count, Empty, Product, Category, Company, User, TokenInformation]) app.addSchema(schema)
  const resource = { db: reads, now: () => nowInSeconds(clock), prefix: '/api' }
  await app.register(productRoutes, resource)
  await app.register(categoryRoutes, resource)
  await app.register(companyRoutes, resource)
  await app.register(userRoutes, resource)
  await app.register(oauthRoutes, resource)
  await app.register(pictureRoutes(files))
  return app
}
