import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Empty, named, PathPart } from '#platform/wire/schema.ts'
import { confirmAgain } from './commands.ts'

export const orderMailRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { now }, done) => {
  app.post(
    '/orders/:id/send_confirmation.json',
    {
      config: { access: { scope: 'orders' } },
      schema: {
        tags: ['Orders'],
        operationId: 'confirmOrderAgain',
        summary: 'Send the confirmation of an order again',
        description: 'The customer gets the mail with what was bought and the way to it once more.',
        params: Type.Object({ id: PathPart('Id of the order.') }),
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, undefined, (tx) =>
        confirmAgain(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
