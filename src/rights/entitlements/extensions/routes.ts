import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { Entitlement } from '../schema.ts'
import { extendEntitlement } from './commands.ts'
import { ExtensionInput } from './schema.ts'

export const extensionRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { now }, done) => {
  app.post(
    '/entitlements/:id/extensions.json',
    {
      config: { access: { scope: 'customers', permissions: ['unlock'] } },
      schema: {
        tags: ['Entitlements'],
        operationId: 'extendEntitlement',
        summary: 'Extend an entitlement',
        description:
          'Gives the customer more time, downloads or devices. Only the copy of the license that belongs to this entitlement changes; the explanation of a decision shows it. What belongs to another company cannot be extended.',
        params: Type.Object({ id: PathPart('Id of the entitlement.') }),
        body: Type.Object({ extension: ExtensionInput }),
        response: { 200: Type.Object({ entitlement: named(Entitlement) }) },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'entitlement', (tx) =>
        extendEntitlement(
          tx,
          authorOf(request),
          request.params.id,
          request.body.extension,
          now(request.caller.companyId),
        ),
      ),
  )

  done()
}
