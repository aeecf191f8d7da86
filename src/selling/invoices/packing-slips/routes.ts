import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { fulfillmentNotFound } from '#selling/orders/fulfillments/errors.ts'
import { sendPdf } from '../pdf.site.ts'
import { withEtag } from '../queries.ts'
import { renderPackingSlips } from '../render.files.ts'
import { PdfAnswer } from '../schema.ts'
import { getPackingSlips } from './queries.ts'
import { readIds, SLIPS_MAX } from './rules.ts'

const TOKENS_MAX = 1000

export const packingSlipRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/fulfillments/:token/packing_slip.pdf',
    {
      config: { access: { scope: 'orders' } },
      schema: {
        tags: ['Fulfillments'],
        operationId: 'getPackingSlip',
        summary: 'Read packing slips as a PDF',
        description:
          'Where the goods of an order go, and what to pack, in the language of the customer. It names no prices. Each slip begins on a new page.',
        params: Type.Object({
          token: Type.String({
            maxLength: TOKENS_MAX,
            description: `Id of the order, or ids of up to ${SLIPS_MAX} orders with commas between them.`,
            examples: ['1042,1043'],
          }),
        }),
        response: { 200: PdfAnswer },
      },
    },
    async (request, reply) => {
      const { token } = request.params
      const ids = readIds(token)
      if (ids === undefined) throw fulfillmentNotFound(token)
      const slips = await getPackingSlips(db, request.caller.companyId, ids)
      const pdf = await renderPackingSlips(slips)
      return sendPdf(request, reply, withEtag({ number: `packing-slip-${ids[0]}`, pdf }))
    },
  )

  done()
}
