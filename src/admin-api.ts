import type { FastifyInstance } from 'fastify'
import { addAdminApi } from '#pages/admin-api.ts'
import { type Clock, nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Notices } from '#platform/db/notices.ts'
import type { Vault } from '#platform/vault.ts'
import { RESOURCES } from './resources.ts'
import { sessionFinder } from './sessions.ts'

/** Registers the endpoints for signed-in users, which the service's own pages call. */
export async function addAdminRoutes(
  app: FastifyInstance,
  { db, reads, clock, notices, vault }: { db: Db; reads: Db; clock: Clock; notices: Notices; vault: Vault },
): Promise<void> {
  await addAdminApi(app, { findSession: sessionFinder({ db, reads, clock }) })
  const options = { db: reads, now: () => nowInSeconds(clock), notices, vault, prefix: '/admin/api' }
  for (const { adminRoutes = [] } of RESOURCES) for (const plugin of adminRoutes) await app.register(plugin, options)
}
