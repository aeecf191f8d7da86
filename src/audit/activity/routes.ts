import type { FastifyPluginCallback } from 'fastify'
import type { PageResourceOptions } from '#platform/http/resource.ts'
import { listLatestEntries } from './queries.ts'
import { activityPage } from './views.ts'

const own = { config: { session: true }, schema: { hide: true } } as const
const SHOWN_MAX = 100

export const activityRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db }, done) => {
  app.get('/account/activity', own, async ({ session }, reply) =>
    reply.page(activityPage(await listLatestEntries(db, session.companyId, SHOWN_MAX))),
  )

  done()
}
