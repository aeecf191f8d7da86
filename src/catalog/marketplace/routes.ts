import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Paging, sendRows } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { takeProducts } from './mirrors/commands.ts'
import { presentEntry, presentOffered } from './present.ts'
import { getOffer, listEntries, listOffered, readOffered } from './queries.ts'
import { MarketplaceEntry, OfferedProduct, TakenProducts } from './schema.ts'

const reading = { access: { scope: 'products' } } as const
const changing = { access: { scope: 'products', permissions: ['request_products'] } } as const
const tags = ['Marketplace']
const Ref = Type.Object({ market_id: PathPart('The `market_id` of an entry.') })

export const marketplaceRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/marketplace.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listMarketplace',
        summary: 'List shop owners who offer their products',
        description:
          'Those that are for every company, and those that name this one; `since_id` and pages go by `market_id`.',
        querystring: Paging,
        response: { 200: Type.Object({ marketplace: Type.Array(named(MarketplaceEntry)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'marketplace', listEntries(db, request.caller.companyId), (rows) =>
        rows.map((row) => presentEntry(row, app.baseUrl)),
      ),
  )

  app.get(
    '/marketplace/:market_id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listOfferedProducts',
        summary: 'List the products of an entry',
        params: Ref,
        querystring: Paging,
        response: { 200: Type.Object({ products: Type.Array(named(OfferedProduct)) }) },
      },
    },
    async (request, reply) => {
      const offer = await getOffer(db, request.caller.companyId, request.params.market_id)
      return sendRows(request, reply, 'products', listOffered(db, offer), async (rows) =>
        (await readOffered(db, offer, rows)).map(presentOffered),
      )
    },
  )

  app.post(
    '/marketplace/:market_id/add.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'addOfferedProducts',
        summary: 'Add the products of an entry',
        description: 'They are mirrored and hidden. Those that the company has already stay as they are.',
        params: Ref,
        response: { 201: TakenProducts },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), undefined, (tx) =>
        takeProducts(tx, request.caller, request.params.market_id, false, now(request.caller.companyId)),
      ),
  )

  app.post(
    '/marketplace/:market_id/activate.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'activateOfferedProducts',
        summary: 'Add and publish the products of an entry',
        description: 'Those that the company has already are published too.',
        params: Ref,
        response: { 201: TakenProducts },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), undefined, (tx) =>
        takeProducts(tx, request.caller, request.params.market_id, true, now(request.caller.companyId)),
      ),
  )

  done()
}
