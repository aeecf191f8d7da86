import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { Fields, Paging, sendEntries } from '#platform/http/answers/lists.ts'
import { tokenCallerOf } from '#platform/http/requests/authenticate.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { issueReadingLicense, prepareReading } from './commands.ts'
import { readPassphrase, readShownLicenses } from './listed.queries.ts'
import { IssuedReadingLicense, ReadingLicenseInput, ReadingLicenseShown, ReadingPassphrase } from './schema.ts'

const config = { access: { scope: ['customers', 'player'] } } as const
const tags = ['Reading apps']
const Ref = Type.Object({ id: PathPart('Id of the entitlement.') })
const OfCustomer = Type.Object({ token: PathPart('Token of the customer, in any case, or its id.') })

export const readingLicenseRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, vault, now }, done) => {
  app.get(
    '/entitlements/:id/reading_licenses.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listReadingLicenses',
        summary: 'List the licenses for reading apps',
        description:
          'Those that the customer got for an entitlement, with their status and the reading apps that have opened them.',
        params: Ref,
        querystring: Paging,
        response: { 200: Type.Object({ reading_licenses: Type.Array(named(ReadingLicenseShown)) }) },
      },
    },
    async (request, reply) => {
      const shown = await readShownLicenses(
        db,
        request.caller,
        request.params.id,
        app.baseUrl,
        now(request.caller.companyId),
      )
      return sendEntries(request, reply, 'reading_licenses', shown)
    },
  )

  app.get(
    '/customers/:token/reading_passphrase.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getReadingPassphrase',
        summary: 'Read the passphrase of a customer',
        description:
          'The customer sees it in My Content, and types it into a reading app once. It opens everything from this company.',
        params: OfCustomer,
        querystring: Fields,
        response: { 200: Type.Object({ reading_passphrase: named(ReadingPassphrase) }) },
      },
    },
    async (request, reply) => {
      const passphrase = await readPassphrase(db, vault, request.caller, request.params.token)
      reply.header('cache-control', 'private, no-store')
      return sendDocument(request, reply, 'reading_passphrase', asciiJson({ passphrase }))
    },
  )

  done()
}

/** For apps and players, which get a license for a customer. */
export const issueReadingRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, vault, now }, done) => {
  app.post(
    '/entitlements/:id/reading_license.json',
    {
      config,
      schema: {
        tags,
        operationId: 'issueReadingLicense',
        summary: 'Get a license for reading apps',
        description:
          'Asks the rights engine for a download, and counts it with the first license of a file. Asking again gives the same license, until it is returned. If the customer may not have it, `reading_license` is null, and `decision` says why.',
        params: Ref,
        body: Type.Object({ reading_license: ReadingLicenseInput }),
        response: { 200: IssuedReadingLicense },
      },
    },
    async (request, reply) => {
      const { file_id } = request.body.reading_license
      const caller = tokenCallerOf(request)
      const { id } = request.params
      await prepareReading({ db, vault, change: app.change, now }, caller, id, file_id)
      return app.write(request, reply, undefined, (tx) =>
        issueReadingLicense(tx, vault, caller, id, file_id, app.baseUrl, now(request.caller.companyId)),
      )
    },
  )

  done()
}
