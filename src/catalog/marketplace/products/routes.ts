import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { takeProduct } from '../mirrors/commands.ts'
import { TakenProducts } from '../schema.ts'
import { presentMarketProduct } from './present.ts'
import { getMarketProduct, listMarketProducts } from './queries.ts'
import { MarketProduct, MarketProductFilters } from './schema.ts'

const reading = { access: { scope: 'products' } } as const
const changing = { access: { scope: 'products', permissions: ['request_products'] } } as const
const tags = ['Marketplace']
const Ref = Type.Object({ id: PathPart('Id of the product of its owner.') })
const ListQuery = Type.Object({ ...MarketProductFilters.properties, ...Paging.properties })

export const marketProductRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/market_products.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listMarketProducts',
        summary: 'List the products that other companies offer',
        description: 'Of all entries that the company sees, without its own products.',
        querystring: ListQuery,
        response: { 200: Type.Object({ market_products: Type.Array(named(MarketProduct)) }) },
      },
    },
    async (request, reply) =>
      sendRows(
        request,
        reply,
        'market_products',
        listMarketProducts(db, request.caller.companyId, request.query),
        (rows) => rows.map(presentMarketProduct),
      ),
  )

  app.get(
    '/market_products/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getMarketProduct',
        summary: 'Read a product that another company offers',
        params: Ref,
        querystring: Fields,
        response: { 200: Type.Object({ market_product: named(MarketProduct) }) },
      },
    },
    async (request, reply) => {
      const product = await getMarketProduct(db, request.caller.companyId, request.params.id)
      return sendDocument(request, reply, 'market_product', asciiJson(presentMarketProduct(product)))
    },
  )

  app.post(
    '/market_products/:id/add.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'addMarketProduct',
        summary: 'Add a product that another company offers',
        description: 'It is mirrored and hidden. One that the company has already stays as it is.',
        params: Ref,
        response: { 201: TakenProducts },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), undefined, (tx) =>
        takeProduct(tx, request.caller, request.params.id, false, now(request.caller.companyId)),
      ),
  )

  app.post(
    '/market_products/:id/activate.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'activateMarketProduct',
        summary: 'Add and publish a product that another company offers',
        description: 'One that the company has already is published too.',
        params: Ref,
        response: { 201: TakenProducts },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), undefined, (tx) =>
        takeProduct(tx, request.caller, request.params.id, true, now(request.caller.companyId)),
      ),
  )

  done()
}
