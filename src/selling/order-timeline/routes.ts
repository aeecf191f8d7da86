import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Paging, sendEntries } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { presentTimeline } from './present.ts'
import { readHappened } from './queries.ts'
import { TimelineEntry } from './schema.ts'

export const orderTimelineRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/orders/:id/timeline.json',
    {
      config: { access: { scope: 'orders' } },
      schema: {
        tags: ['Orders'],
        operationId: 'listTimeline',
        summary: 'List what happened to an order',
        description:
          'Payment, mails, use, shipment, refunds, invoices and notes, oldest first, with who did it as far as it is known. Of each kind there are the latest hundred; mails are known for 30 days, and who did something for a year.',
        params: Type.Object({ id: PathPart('Id of the order.') }),
        querystring: Paging,
        response: { 200: Type.Object({ timeline: Type.Array(named(TimelineEntry)) }) },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const happened = await readHappened(db, caller.companyId, params.id)
      return sendEntries(request, reply, 'timeline', presentTimeline(happened, { seesUsers: caller.kind === 'user' }))
    },
  )

  done()
}
