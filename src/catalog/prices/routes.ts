import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { CsvFormat, isCsv, listOrFile, sendCsv } from '#platform/http/answers/csv-lists.ts'
import { Fields, Paging, sendList } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart } from '#platform/wire/schema.ts'
import { createPrice, deletePrice, updatePrice } from './commands.ts'
import { createLines, HEADING } from './csv.present.ts'
import { countPrices, getPriceDocument, listOwnPrices, listPrices, lockPrice, readPriceUses } from './queries.ts'
import { Price, PriceInput, PriceUse } from './schema.ts'

const reading = { access: { scope: 'products' } } as const
const changing = { access: { permissions: ['request_products'] } } as const
const tags = ['Prices']
const Ref = Type.Object({ token: PathPart('Id of the price model.') })
const Body = Type.Object({ price: PriceInput })
const One = Type.Object({ price: named(Price) })
const ListQuery = Type.Object({
  ...Paging.properties,
  format: CsvFormat,
  ids: Type.Optional(
    Type.String({
      pattern: '^[0-9,]*$',
      maxLength: 20_000,
      description: 'With `format=csv`: only these price models, comma-separated. Without it: all that are in use.',
      examples: ['12,15'],
    }),
  ),
})
const CountQuery = Type.Object({ since_id: Paging.properties.since_id })
const price = single(
  'price',
  async (db, { caller, params }: Asked<{ token: string }>) => getPriceDocument(db, caller.companyId, params.token),
  (tx, { caller, params }) => lockPrice(tx, caller.companyId, params.token),
)

export const priceRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/prices.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listPrices',
        summary: 'List price models',
        querystring: ListQuery,
        response: { 200: listOrFile(Type.Object({ prices: Type.Array(named(Price)) })) },
      },
    },
    async (request, reply) => {
      const { companyId } = request.caller
      const { format, ids } = request.query
      if (!isCsv(format)) return sendList(request, reply, 'prices', listPrices(db, companyId))
      const chosen = ids?.split(',').map(Number).filter(Number.isSafeInteger)
      return sendCsv(reply, 'prices.csv', listOwnPrices(db, companyId, chosen), HEADING, createLines())
    },
  )

  app.get(
    '/prices/count.json',
    {
      config: reading,
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
    '/prices/uses.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listPriceUses',
        summary: 'Count what each price is used for',
        description: 'A price that nothing names is left out.',
        response: { 200: Type.Object({ price_uses: Type.Array(named(PriceUse)) }) },
      },
    },
    async ({ caller }) => ({ price_uses: await readPriceUses(db, caller.companyId) }),
  )

  app.get(
    '/prices/:token.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getPrice',
        summary: 'Read a price model',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, price, db),
  )

  done()
}

/** The API only reads prices; the users of the company create and change them. */
export const priceChangeRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { now }, done) => {
  app.post(
    '/prices.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'createPrice',
        summary: 'Create a price',
        body: Body,
        response: { 201: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), price, (tx) =>
        createPrice(tx, authorOf(request), request.body.price, now(request.caller.companyId)),
      ),
  )

  app.put(
    '/prices/:token.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updatePrice',
        summary: 'Change a price',
        description: 'Orders that exist keep the price that they were sold for.',
        params: Ref,
        body: Body,
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, price, (tx) =>
        updatePrice(tx, authorOf(request), request.params.token, request.body.price, now(request.caller.companyId)),
      ),
  )

  app.delete(
    '/prices/:token.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deletePrice',
        summary: 'Delete a price',
        description:
          'It can still be read, with `valid` 0, because orders name it. One that a product, a shipping method or a plan names is 409.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, price, async (tx) => {
        await deletePrice(tx, authorOf(request), request.params.token, now(request.caller.companyId))
      }),
  )

  done()
}
