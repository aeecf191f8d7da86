import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendDocument } from '#platform/http/answers.ts'
import { Fields, Paging, sendList } from '#platform/http/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, named, PathPart } from '#platform/wire-schema.ts'
import { countPrices, getPriceDocument, listPrices } from './queries.ts'
import { Price } from './schema.ts'

const config = { scope: 'products' } as const
const tags = ['Prices']
const Ref = Type.Object({ token: PathPart('Id of the price model.') })
const CountQuery = Type.Object({ since_id: Paging.properties.since_id })

export const priceRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/prices.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listPrices',
        summary: 'List price models',
        querystring: Paging,
        response: { 200: Type.Object({ prices: Type.Array(named(Price)) }) },
      },
    },
    async (request, reply) => sendList(request, reply, 'prices', listPrices(db, request.caller.companyId)),
  )

  app.get(
    '/prices/count.json',
    {
      config,
      schema: {
        tags,
        operationId: 'countPrices',
        summary: 'Count price models',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countPrices(db, caller.companyId, query.since_id) }),
  )

  app.get(
    '/prices/:token.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getPrice',
        summary: 'Read a price model',
        params: Ref,
        querystring: Fields,
        response: { 200: Type.Object({ price: named(Price) }) },
      },
    },
    async (request, reply) =>
      sendDocument(request, reply, 'price', await getPriceDocument(db, request.caller.companyId, request.params.token)),
  )

  done()
}
