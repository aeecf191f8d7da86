import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendDocument } from '#platform/http/answers.ts'
import { Fields, Paging, sendList } from '#platform/http/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, named, PathPart } from '#platform/wire-schema.ts'
import { countLicenses, getLicenseDocument, listLicenses } from './queries.ts'
import { License } from './schema.ts'

const config = { scope: 'products' } as const
const tags = ['Licenses']
const Ref = Type.Object({ token: PathPart('Id of the license.') })
const CountQuery = Type.Object({ since_id: Paging.properties.since_id })

export const licenseRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/licenses.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listLicenses',
        summary: 'List licenses',
        description: 'Those of the company and the general ones, which every company sees.',
        querystring: Paging,
        response: { 200: Type.Object({ licenses: Type.Array(named(License)) }) },
      },
    },
    async (request, reply) => sendList(request, reply, 'licenses', listLicenses(db, request.caller.companyId)),
  )

  app.get(
    '/licenses/count.json',
    {
      config,
      schema: {
        tags,
        operationId: 'countLicenses',
        summary: 'Count licenses',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countLicenses(db, caller.companyId, query.since_id) }),
  )

  app.get(
    '/licenses/:token.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getLicense',
        summary: 'Read a license',
        params: Ref,
        querystring: Fields,
        response: { 200: Type.Object({ license: named(License) }) },
      },
    },
    async (request, reply) =>
      sendDocument(
        request,
        reply,
        'license',
        await getLicenseDocument(db, request.caller.companyId, request.params.token),
      ),
  )

  done()
}
