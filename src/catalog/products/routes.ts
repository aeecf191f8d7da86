import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { CsvFormat, isCsv, listOrFile, sendCsv } from '#platform/http/answers/csv-lists.ts'
import { Fields, Paging, sendList, sortedPaging } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart } from '#platform/wire/schema.ts'
import { createProduct, deleteProduct, updateProduct } from './commands.ts'
import { HEADING } from './csv/present.ts'
import { readLines } from './csv/queries.ts'
import { countProducts, getProductDocument, listProducts, lockProduct } from './queries.ts'
import { reportMissing } from './rules.ts'
import { Product, ProductChange, ProductFilters, ProductInput, ProductWarnings } from './schema.ts'

const reading = { access: { scope: 'products' } } as const
const changing = { access: { scope: 'products', permissions: ['request_products'] } } as const
const tags = ['Products']
const Ref = Type.Object({ id: PathPart('The numeric `id` of the product, or its `product_id`.') })
const ListQuery = Type.Object({
  ...ProductFilters.properties,
  ...sortedPaging('title', 'created_at', 'updated_at').properties,
  format: CsvFormat,
})
const CountQuery = Type.Object({ ...ProductFilters.properties, since_id: Paging.properties.since_id })
const Body = Type.Object({ product: ProductInput })
const One = Type.Object({ product: named(Product) })
const Changed = Type.Object({ product: named(Product), warnings: ProductWarnings })
const product = single(
  'product',
  async (db, { caller, params }: Asked<{ id: string }>) => getProductDocument(db, caller.companyId, params.id),
  (tx, { caller, params }) => lockProduct(tx, caller.companyId, params.id),
)

export const productRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/products.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listProducts',
        summary: 'List products',
        querystring: ListQuery,
        response: { 200: listOrFile(Type.Object({ products: Type.Array(named(Product)) })) },
      },
    },
    async (request, reply) => {
      const { companyId } = request.caller
      const list = listProducts(db, companyId, request.query)
      return isCsv(request.query.format)
        ? sendCsv(reply, 'products.csv', list, HEADING, (rows) => readLines(db, companyId, rows))
        : sendList(request, reply, 'products', list)
    },
  )

  app.get(
    '/products/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countProducts',
        summary: 'Count products',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countProducts(db, caller.companyId, query) }),
  )

  app.get(
    '/products/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getProduct',
        summary: 'Read a product',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, product, db),
  )

  app.post(
    '/products.json',
    {
      config: { ...changing, reportMissing },
      schema: {
        tags,
        operationId: 'createProduct',
        summary: 'Create a product',
        body: Body,
        response: { 201: Changed },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), product, (tx) =>
        createProduct(tx, request.caller, request.body.product, now(request.caller.companyId)),
      ),
  )

  app.put(
    '/products/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updateProduct',
        summary: 'Change a product',
        description: 'What the body does not name stays as it is.',
        params: Ref,
        body: Type.Object({ product: ProductChange }),
        response: { 200: Changed },
      },
    },
    async (request, reply) =>
      app.write(request, reply, product, (tx) =>
        updateProduct(tx, request.caller, request.params.id, request.body.product, now(request.caller.companyId)),
      ),
  )

  app.delete(
    '/products/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deleteProduct',
        summary: 'Delete a product',
        description: 'Orders that hold it and rights that were bought stay.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, product, (tx) =>
        deleteProduct(tx, request.caller, request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
