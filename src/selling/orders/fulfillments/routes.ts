import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields, Paging, sendList } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, named, PathPart } from '#platform/wire/schema.ts'
import { lockFulfillment, updateFulfillment } from './commands.ts'
import { countFulfillments, getFulfillmentDocument, listFulfillments } from './queries.ts'
import { NOT_SHIPPED, SHIPPED } from './rules.ts'
import { Fulfillment, FulfillmentFilters, FulfillmentInput } from './schema.ts'

const config = { access: { scope: 'orders' } } as const
const tags = ['Fulfillments']
const Ref = Type.Object({ token: PathPart('Id of the order.') })
const ListQuery = Type.Object({ ...Paging.properties, ...FulfillmentFilters.properties })
const CountQuery = Type.Object({ ...FulfillmentFilters.properties, since_id: Paging.properties.since_id })
const One = Type.Object({ fulfillment: named(Fulfillment) })
const Many = Type.Object({ fulfillments: Type.Array(named(Fulfillment)) })

const LISTS = [
  { path: '/fulfillments.json', operationId: 'listFulfillments', summary: 'List fulfillments', status: undefined },
  {
    path: '/fulfillments/open.json',
    operationId: 'listOpenFulfillments',
    summary: 'List what is to be shipped',
    status: NOT_SHIPPED,
  },
  {
    path: '/fulfillments/complete.json',
    operationId: 'listCompleteFulfillments',
    summary: 'List what was shipped',
    status: SHIPPED,
  },
] as const
const fulfillment = single(
  'fulfillment',
  async (db, { caller, params }: Asked<{ token: string }>) =>
    getFulfillmentDocument(db, caller.companyId, params.token),
  (tx, { caller, params }) => lockFulfillment(tx, caller.companyId, params.token),
)

export const fulfillmentRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  for (const { path, operationId, summary, status } of LISTS)
    app.get(
      path,
      {
        config,
        schema: {
          tags,
          operationId,
          summary,
          description: 'Those of the company, and those that it ships for other companies.',
          querystring: ListQuery,
          response: { 200: Many },
        },
      },
      async (request, reply) => {
        const list = listFulfillments(db, request.caller.companyId, request.query, status)
        return sendList(request, reply, 'fulfillments', list)
      },
    )

  app.get(
    '/fulfillments/count.json',
    {
      config,
      schema: {
        tags,
        operationId: 'countFulfillments',
        summary: 'Count fulfillments',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countFulfillments(db, caller.companyId, query) }),
  )

  app.get(
    '/fulfillments/:token.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getFulfillment',
        summary: 'Read a fulfillment',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, fulfillment, db),
  )

  app.put(
    '/fulfillments/:token.json',
    {
      config,
      schema: {
        tags,
        operationId: 'updateFulfillment',
        summary: 'Change a fulfillment',
        description:
          'Status 100 ships the goods of the order, and the customer is told; that cannot be undone. Tracking numbers may come before and after.',
        params: Ref,
        body: Type.Object({ fulfillment: FulfillmentInput }),
        response: { 200: One },
      },
    },
    async (request, reply) => {
      const { params, body } = request
      return app.write(request, reply, fulfillment, (tx) =>
        updateFulfillment(tx, authorOf(request), params.token, body.fulfillment, now(request.caller.companyId)),
      )
    },
  )

  done()
}
