import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { OrderInput } from '../schema.ts'
import { presentOrderCalculation } from './calculation.present.ts'
import { calculateOrder } from './calculation.queries.ts'
import { OrderCalculation } from './calculation.schema.ts'

export const calculationRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.post(
    '/orders/calculate.json',
    {
      config: { access: { scope: 'orders', permissions: ['accounting'] } },
      schema: {
        tags: ['Orders'],
        operationId: 'calculateOrder',
        summary: 'Calculate an order',
        description:
          'Says what the same body would cost, and changes nothing. It is refused for the same reasons as the order, but for a lack of stock. The customer may be missing: then the address of the body decides on prices and taxes, or the country of the company.',
        body: Type.Object({ order: OrderInput }),
        response: { 200: Type.Object({ order_calculation: named(OrderCalculation) }) },
      },
    },
    async ({ caller, body }) => ({
      order_calculation: presentOrderCalculation(
        await calculateOrder(db, caller.companyId, body.order, now(caller.companyId)),
      ),
    }),
  )

  done()
}
