import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire-schema.ts'
import { createRefund } from './commands.ts'
import { Refund, RefundInput } from './schema.ts'

export const refundRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { now }, done) => {
  app.post(
    '/orders/:id/refunds.json',
    {
      config: { scope: 'orders' },
      schema: {
        tags: ['Orders'],
        operationId: 'createRefund',
        summary: 'Refund an order',
        description:
          'Notes that an order was paid back, or a part of it; no payment is made. Line items that are named are given back, and cost what was paid for them unless `amount` says otherwise. An amount alone gives back no line items. `all: true` refunds everything that is left. A body with none of them is refused.',
        params: Type.Object({ id: PathPart('Id of the order.') }),
        body: Type.Object({ refund: RefundInput }),
        response: { 201: Type.Object({ refund: named(Refund) }) },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      return app.write(request, reply.code(201), 'refund', (tx) =>
        createRefund(tx, caller, params.id, body.refund, 'api', now()),
      )
    },
  )

  done()
}
