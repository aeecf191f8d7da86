import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { tokenCallerOf } from '#platform/http/requests/authenticate.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { PathPart } from '#platform/wire/schema.ts'
import { readQuestion } from '../rules.ts'
import { issueLicenseFile } from './commands.ts'
import { LicenseFileAnswer, LicenseFileQuery } from './schema.ts'

const config = { access: { scope: ['customers', 'player'], permissions: ['request_keyfile'] } } as const
const tags = ['Entitlements']
const Ref = Type.Object({ id: PathPart('Id of the entitlement.') })

export const offlineRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { vault, now }, done) => {
  app.get(
    '/entitlements/:id/file.json',
    {
      config,
      // Asking for the headers alone would count as a use too.
      exposeHeadRoute: false,
      schema: {
        tags,
        operationId: 'getLicenseFile',
        summary: 'Get a license file, to play without a connection',
        description:
          'Asks as a use with the action `play` does. If the customer may play, the answer has a file for this device, and the device holds the content until the file ends. Otherwise `license_file` is null, and `decision` says why.',
        params: Ref,
        querystring: LicenseFileQuery,
        response: { 200: LicenseFileAnswer },
      },
    },
    async (request, reply) => {
      const question = readQuestion({ action: 'play', ...request.query }, tokenCallerOf(request).appId)
      reply.header('cache-control', 'no-store')
      return app.write(request, reply, undefined, (tx) =>
        issueLicenseFile(
          tx,
          vault,
          request.caller,
          request.params.id,
          question,
          app.baseUrl,
          now(request.caller.companyId),
        ),
      )
    },
  )
  done()
}
