import type { FastifyInstance } from 'fastify'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { namedPlugin } from '#platform/http/named-plugin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { addAdminApi } from '#platform/pages/admin-api.ts'
import { RESOURCES } from '../../resources.ts'
import { api } from './api.ts'
import { sessionFinder } from './sessions.ts'

/** Registers the endpoints for signed-in users, which the service's own pages call. Most are those of apps. */
export async function addAdminRoutes(
  app: FastifyInstance,
  { db, reads, clock, resourceOptions }: { db: Db; reads: Db; clock: Clock; resourceOptions: ResourceOptions },
): Promise<void> {
  await addAdminApi(app, { findSession: sessionFinder({ db, reads, clock }) })
  const options = { ...resourceOptions, prefix: api.prefixes.users }
  for (const { routes = [], userRoutes = [] } of RESOURCES)
    for (const plugin of [...routes, ...userRoutes]) await app.register(namedPlugin(plugin), options)
}
