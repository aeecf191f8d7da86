import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Paging, sendRows } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, named } from '#platform/wire/schema.ts'
import { presentEvent } from './present.ts'
import { countEvents, listEvents } from './queries.ts'
import { Event, EventFilters } from './schema.ts'

const config = { access: { scope: 'webhooks' } } as const
const tags = ['Events']
const ListQuery = Type.Object({ ...EventFilters.properties, ...Paging.properties })
const CountQuery = Type.Object({ ...EventFilters.properties, since_id: Paging.properties.since_id })

export const eventRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/events.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listEvents',
        summary: 'List events',
        description:
          'What happened in the company, oldest first, whether or not a webhook gets it. Events are kept for 30 days. An app that was away reads on with `since_id` and misses nothing.',
        querystring: ListQuery,
        response: { 200: Type.Object({ events: Type.Array(named(Event)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'events', listEvents(db, request.caller, request.query), (rows) =>
        rows.map(presentEvent),
      ),
  )

  app.get(
    '/events/count.json',
    {
      config,
      schema: {
        tags,
        operationId: 'countEvents',
        summary: 'Count events',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countEvents(db, caller, query) }),
  )

  done()
}
