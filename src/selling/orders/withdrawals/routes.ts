import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Paging, sendEntries } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { presentWithdrawal } from './present.ts'
import { readWithdrawals } from './queries.ts'
import { OrderWithdrawal } from './schema.ts'

export const withdrawalRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/orders/:id/withdrawals.json',
    {
      config: { access: { scope: 'orders' } },
      schema: {
        tags: ['Orders'],
        operationId: 'listOrderWithdrawals',
        summary: 'List the withdrawals from an order',
        description:
          'What customers have declared on the page `/withdrawal` of a shop, oldest first. A declaration changes nothing in the order: cancel or refund it yourself.',
        params: Type.Object({ id: PathPart('Id of the order.') }),
        querystring: Paging,
        response: { 200: Type.Object({ withdrawals: Type.Array(named(OrderWithdrawal)) }) },
      },
    },
    async (request, reply) => {
      const rows = await readWithdrawals(db, request.caller.companyId, request.params.id)
      return sendEntries(request, reply, 'withdrawals', rows.map(presentWithdrawal))
    },
  )

  done()
}
