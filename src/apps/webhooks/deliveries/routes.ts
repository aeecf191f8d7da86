import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { changerOf } from '../commands.ts'
import { getWebhook } from '../queries.ts'
import { ownerOf } from '../rules.ts'
import { replayDeliveries, replayDelivery, sendTest } from './commands.ts'
import { presentDelivery } from './present.ts'
import { countDeliveries, getDelivery, listDeliveries } from './queries.ts'
import { Delivery, DeliveryFilters, Replayed, ReplayInput, TestInput } from './schema.ts'

const config = { access: { scope: 'webhooks' } } as const
const tags = ['Webhooks']
const OfWebhook = Type.Object({ id: PathPart('Id of the webhook.') })
const Ref = Type.Object({ ...OfWebhook.properties, delivery_id: PathPart('Id of the delivery.') })
const ListQuery = Type.Object({ ...DeliveryFilters.properties, ...Paging.properties })
const CountQuery = Type.Object({ ...DeliveryFilters.properties, since_id: Paging.properties.since_id })
const Single = Type.Object({ delivery: named(Delivery) })

/** The deliveries of a webhook: to read, and to send again. */
export const deliveryRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/webhooks/:id/deliveries.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listDeliveries',
        summary: 'List the deliveries of a webhook',
        description: 'With every attempt. Deliveries are kept for 30 days.',
        params: OfWebhook,
        querystring: ListQuery,
        response: { 200: Type.Object({ deliveries: Type.Array(named(Delivery)) }) },
      },
    },
    async (request, reply) => {
      const webhook = await getWebhook(db, ownerOf(request.caller), request.params.id)
      return sendRows(request, reply, 'deliveries', listDeliveries(db, webhook, request.query), (rows) =>
        rows.map((row) => presentDelivery(row, webhook)),
      )
    },
  )

  app.get(
    '/webhooks/:id/deliveries/count.json',
    {
      config,
      schema: {
        tags,
        operationId: 'countDeliveries',
        summary: 'Count the deliveries of a webhook',
        params: OfWebhook,
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, params, query }) => ({
      count: await countDeliveries(db, await getWebhook(db, ownerOf(caller), params.id), query),
    }),
  )

  app.get(
    '/webhooks/:id/deliveries/:delivery_id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getDelivery',
        summary: 'Read a delivery',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => {
      const webhook = await getWebhook(db, ownerOf(request.caller), request.params.id)
      const delivery = await getDelivery(db, webhook, request.params.delivery_id)
      return sendDocument(request, reply, 'delivery', asciiJson(presentDelivery(delivery, webhook)))
    },
  )

  app.post(
    '/webhooks/:id/deliveries/:delivery_id/replay.json',
    {
      config,
      schema: {
        tags,
        operationId: 'replayDelivery',
        summary: 'Send a delivery again',
        description:
          'With the same `webhook-id`, whatever became of it before. A webhook that is not active gets it when it is activated.',
        params: Ref,
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'delivery', (tx) =>
        replayDelivery(
          tx,
          authorOf(request),
          changerOf(request.caller),
          request.params.id,
          request.params.delivery_id,
          now(request.caller.companyId),
        ),
      ),
  )

  app.post(
    '/webhooks/:id/replay.json',
    {
      config,
      schema: {
        tags,
        operationId: 'replayDeliveries',
        summary: 'Send failed deliveries, or those of a time range, again',
        params: OfWebhook,
        body: Type.Object({ replay: ReplayInput }),
        response: { 200: named(Replayed) },
      },
    },
    async (request, reply) =>
      app.write(request, reply, undefined, (tx) =>
        replayDeliveries(
          tx,
          authorOf(request),
          changerOf(request.caller),
          request.params.id,
          request.body.replay,
          now(request.caller.companyId),
        ),
      ),
  )

  app.post(
    '/webhooks/:id/test.json',
    {
      config,
      schema: {
        tags,
        operationId: 'testWebhook',
        summary: 'Send a test event',
        description: 'A made-up event of any topic, signed like a real one. Its `producer` is `test`.',
        params: OfWebhook,
        body: Type.Object({ test: TestInput }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'delivery', (tx) =>
        sendTest(
          tx,
          authorOf(request),
          changerOf(request.caller),
          request.params.id,
          request.body.test,
          now(request.caller.companyId),
        ),
      ),
  )

  done()
}
