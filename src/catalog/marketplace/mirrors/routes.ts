import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Paging, sendRows } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { presentMirror } from './present.ts'
import { listMirrors } from './queries.ts'
import { MirroredProduct, MirrorFilters } from './schema.ts'

const ListQuery = Type.Object({ ...MirrorFilters.properties, ...Paging.properties })

export const mirrorRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/mirrored_products.json',
    {
      config: { access: { scope: 'products' } },
      schema: {
        tags: ['Marketplace'],
        operationId: 'listMirroredProducts',
        summary: 'List the products that the company sells for others',
        description:
          'With what became of them: what their owners changed, and what they no longer offer. They are shown, hidden and removed as products.',
        querystring: ListQuery,
        response: { 200: Type.Object({ mirrored_products: Type.Array(named(MirroredProduct)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'mirrored_products', listMirrors(db, request.caller.companyId, request.query), (rows) =>
        rows.map(presentMirror),
      ),
  )

  done()
}
