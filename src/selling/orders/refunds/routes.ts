import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { getOrder } from '../queries.ts'
import { Order } from '../schema.ts'
import { createRefund, retryRefunds } from './commands.ts'
import { presentCalculation } from './present.ts'
import { planRefund } from './rules.ts'
import { Refund, RefundCalculation, RefundInput } from './schema.ts'

const config = { access: { scope: 'orders', permissions: ['accounting'] } } as const

export const refundRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.post(
    '/orders/:id/refunds.json',
    {
      config,
      schema: {
        tags: ['Orders'],
        operationId: 'createRefund',
        summary: 'Refund an order',
        description:
          'Refunds an order or a part of it. Money that came through a payment gateway goes back through it, which `status` of the transaction tells; otherwise the seller pays it back. Line items that are named are given back, and cost what was paid for them unless `amount` says otherwise. An amount alone gives back no line items. `all: true` refunds everything that is left. A body with none of them is refused.',
        params: Type.Object({ id: PathPart('Id of the order.') }),
        body: Type.Object({ refund: RefundInput }),
        response: { 201: Type.Object({ refund: named(Refund) }) },
      },
    },
    async (request, reply) => {
      const { params, body } = request
      return app.write(request, reply.code(201), 'refund', (tx) =>
        createRefund(tx, authorOf(request), params.id, body.refund, 'api', now(request.caller.companyId)),
      )
    },
  )

  app.post(
    '/orders/:id/refunds/calculate.json',
    {
      config,
      schema: {
        tags: ['Orders'],
        operationId: 'calculateRefund',
        summary: 'Calculate a refund',
        description:
          'Says what the same body would give back, and changes nothing. It is refused for the same reasons as the refund.',
        params: Type.Object({ id: PathPart('Id of the order.') }),
        body: Type.Object({ refund: RefundInput }),
        response: { 200: Type.Object({ refund_calculation: named(RefundCalculation) }) },
      },
    },
    async ({ caller, params, body }) => {
      const order = await getOrder(db, caller.companyId, params.id)
      return { refund_calculation: presentCalculation(order, planRefund(order, body.refund)) }
    },
  )

  app.post(
    '/orders/:id/retry_refunds.json',
    {
      config,
      schema: {
        tags: ['Orders'],
        operationId: 'retryRefunds',
        summary: 'Return the money of failed refunds again',
        description:
          'For refunds whose transaction has the status `failure`: the gateway is asked again. Nothing is paid back twice.',
        params: Type.Object({ id: PathPart('Id of the order.') }),
        response: { 200: Type.Object({ order: named(Order) }) },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'order', (tx) =>
        retryRefunds(tx, request.caller, request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
