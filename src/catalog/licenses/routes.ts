import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields, Paging, sendList } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart } from '#platform/wire/schema.ts'
import { createLicense, deleteLicense, updateLicense } from './commands.ts'
import { countLicenses, getLicenseDocument, listLicenses, lockLicense, readLicenseUses } from './queries.ts'
import { License, LicenseInput, LicenseUse } from './schema.ts'

const reading = { access: { scope: 'products' } } as const
const changing = { access: { permissions: ['request_products'] } } as const
const tags = ['Licenses']
const Ref = Type.Object({ token: PathPart('Id of the license.') })
const Body = Type.Object({ license: LicenseInput })
const One = Type.Object({ license: named(License) })
const CountQuery = Type.Object({ since_id: Paging.properties.since_id })
const license = single(
  'license',
  async (db, { caller, params }: Asked<{ token: string }>) => getLicenseDocument(db, caller.companyId, params.token),
  (tx, { caller, params }) => lockLicense(tx, caller.companyId, params.token),
)

export const licenseRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/licenses.json',
    {
      config: reading,
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
      config: reading,
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
    '/licenses/uses.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listLicenseUses',
        summary: 'Count the products of each license',
        description: 'A license that no product is sold under is left out.',
        response: { 200: Type.Object({ license_uses: Type.Array(named(LicenseUse)) }) },
      },
    },
    async ({ caller }) => ({ license_uses: await readLicenseUses(db, caller.companyId) }),
  )

  app.get(
    '/licenses/:token.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getLicense',
        summary: 'Read a license',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, license, db),
  )

  done()
}

/** The API only reads licenses; the users of the company create and change them. */
export const licenseChangeRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { now }, done) => {
  app.post(
    '/licenses.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'createLicense',
        summary: 'Create a license',
        body: Body,
        response: { 201: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), license, (tx) =>
        createLicense(tx, authorOf(request), request.body.license, now(request.caller.companyId)),
      ),
  )

  app.put(
    '/licenses/:token.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updateLicense',
        summary: 'Change a license',
        description: 'Orders that exist keep the terms that they were sold under.',
        params: Ref,
        body: Body,
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, license, (tx) =>
        updateLicense(tx, authorOf(request), request.params.token, request.body.license, now(request.caller.companyId)),
      ),
  )

  app.delete(
    '/licenses/:token.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deleteLicense',
        summary: 'Delete a license',
        description: 'It can still be read, with `valid` 0, because orders name it. One that a product names is 409.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, license, async (tx) => {
        await deleteLicense(tx, authorOf(request), request.params.token, now(request.caller.companyId))
      }),
  )

  done()
}
