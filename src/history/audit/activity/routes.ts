import type { FastifyPluginCallback } from 'fastify'
import { readerOf } from '#platform/pages/reader.ts'
import type { PageResourceOptions } from '#platform/pages/site.ts'
import { listLatestEntries } from './queries.ts'
import { activityPage } from './views.ts'

const own = { config: { session: true, access: { permissions: ['create_users'] } }, schema: { hide: true } } as const
const SHOWN_MAX = 100

export const activityRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, menu }, done) => {
  app.get('/account/activity', own, async (request, reply) =>
    reply.page(
      activityPage(readerOf(request), menu, await listLatestEntries(db, request.session.companyId, SHOWN_MAX)),
    ),
  )

  done()
}
