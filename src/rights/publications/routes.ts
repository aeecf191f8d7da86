import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Paging, sendRows } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { presentPublication } from './present.ts'
import { listPublications } from './queries.ts'
import { ProtectedPublication, PublicationFilters } from './schema.ts'

const ListQuery = Type.Object({ ...PublicationFilters.properties, ...Paging.properties })

export const publicationRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/protected_publications.json',
    {
      config: { access: { scope: 'files' } },
      schema: {
        tags: ['Reading apps'],
        operationId: 'listProtectedPublications',
        summary: 'List what is encrypted for reading apps',
        description:
          'Books, PDFs and recordings of products with `drm_protected` are encrypted once, soon after they were uploaded. Buyers under a license with `drm` 1 open them in reading apps.',
        querystring: ListQuery,
        response: { 200: Type.Object({ protected_publications: Type.Array(named(ProtectedPublication)) }) },
      },
    },
    async (request, reply) => {
      const list = listPublications(db, request.caller.companyId, request.query)
      return sendRows(request, reply, 'protected_publications', list, (rows) => rows.map(presentPublication))
    },
  )

  done()
}
