import type { FastifyInstance, FastifyRequest } from 'fastify'
import { adminSiteRoutes } from '#admin/site/routes.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { namedPlugin } from '#platform/http/named-plugin.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { addPrivatePages } from '#platform/pages/site.ts'
import { accountSite } from './account-pages.ts'
import { sessionFinder } from './sessions.ts'

type AdminSiteOptions = {
  db: Db
  reads: Db
  clock: Clock
  vault: Vault
  /** Is the address part of the API? */
  isForPrograms: (request: FastifyRequest) => boolean
}

/** Registers the admin interface. All addresses below /admin are its own, but for those of the API. */
export async function addAdminSite(
  app: FastifyInstance,
  { db, reads, clock, vault, isForPrograms }: AdminSiteOptions,
): Promise<void> {
  // Before anything asks for a session: an address of the API that does not exist is not found.
  app.addHook('onRequest', async (request, reply) => (isForPrograms(request) ? reply.callNotFound() : undefined))
  await addPrivatePages(app, {
    ...accountSite,
    strictTransport: true,
    vault,
    signInPath: '/sign-in',
    findSession: sessionFinder({ db, reads, clock }),
  })
  await app.register(namedPlugin(adminSiteRoutes))
}
