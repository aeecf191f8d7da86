import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Paging, sendRows } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { presentFailure } from './present.ts'
import { listFailedCopies } from './queries.ts'
import { FailureFilters, FileFailure } from './schema.ts'

const ListQuery = Type.Object({ ...FailureFilters.properties, ...Paging.properties })

export const stampingRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/file_failures.json',
    {
      config: { access: { scope: 'files' } },
      schema: {
        tags: ['Content files'],
        operationId: 'listFileFailures',
        summary: 'List PDFs and EPUBs of which no copy could be made',
        description:
          'Under a license with `stamp`, each buyer gets a copy that names them. Whoever owns one of these cannot download it until the file is replaced.',
        querystring: ListQuery,
        response: { 200: Type.Object({ file_failures: Type.Array(named(FileFailure)) }) },
      },
    },
    async (request, reply) => {
      const list = listFailedCopies(db, request.caller.companyId, request.query)
      return sendRows(request, reply, 'file_failures', list, (rows) => rows.map(presentFailure))
    },
  )

  done()
}
