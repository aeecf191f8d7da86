import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields, Paging, sendList } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart } from '#platform/wire/schema.ts'
import { createCategory, deleteCategory, moveCategory, updateCategory } from './commands.ts'
import { countCategories, getCategoryDocument, listCategories, lockCategory } from './queries.ts'
import { reportMissing } from './rules.ts'
import { Category, CategoryInput, CategoryMove } from './schema.ts'

const reading = { access: { scope: 'products' } } as const
const changing = { access: { scope: 'products', permissions: ['request_products'] } } as const
const tags = ['Categories']
const Ref = Type.Object({ id: PathPart('Id of the category.') })
const CountQuery = Type.Object({ since_id: Paging.properties.since_id })
const Body = Type.Object({ category: CategoryInput })
const One = Type.Object({ category: named(Category) })
const category = single(
  'category',
  async (db, { caller, params }: Asked<{ id: string }>) => getCategoryDocument(db, caller.companyId, params.id),
  (tx, { caller, params }) => lockCategory(tx, caller.companyId, params.id),
)

export const categoryRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/categories.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listCategories',
        summary: 'List categories',
        querystring: Paging,
        response: { 200: Type.Object({ categories: Type.Array(named(Category)) }) },
      },
    },
    async (request, reply) => sendList(request, reply, 'categories', listCategories(db, request.caller.companyId)),
  )

  app.get(
    '/categories/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countCategories',
        summary: 'Count categories',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countCategories(db, caller.companyId, query.since_id) }),
  )

  app.get(
    '/categories/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getCategory',
        summary: 'Read a category',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, category, db),
  )

  app.post(
    '/categories.json',
    {
      config: { ...changing, reportMissing },
      schema: { tags, operationId: 'createCategory', summary: 'Create a category', body: Body, response: { 201: One } },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), category, (tx) =>
        createCategory(tx, request.caller, request.body.category, now(request.caller.companyId)),
      ),
  )

  for (const method of ['PUT', 'POST'] as const) {
    app.route({
      method,
      url: '/categories/:id.json',
      config: changing,
      schema: {
        tags,
        operationId: method === 'PUT' ? 'updateCategory' : 'updateCategoryByPost',
        summary: 'Change a category',
        params: Ref,
        body: Body,
        response: { 200: One },
      },
      handler: async (request, reply) =>
        app.write(request, reply, category, (tx) =>
          updateCategory(tx, request.caller, request.params.id, request.body.category, now(request.caller.companyId)),
        ),
    })
  }

  app.post(
    '/categories/:id/move.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'moveCategory',
        summary: 'Move a category',
        description: 'Puts it at a place among the categories of a parent. The others are numbered anew.',
        params: Ref,
        body: Type.Object({ move: CategoryMove }),
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, category, (tx) =>
        moveCategory(tx, request.caller, request.params.id, request.body.move, now(request.caller.companyId)),
      ),
  )

  app.delete(
    '/categories/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deleteCategory',
        summary: 'Delete a category',
        description: 'Its children move to its parent; its products stay.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, category, (tx) =>
        deleteCategory(tx, request.caller, request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
