import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { fieldInvalid } from '#platform/errors/faults.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { PathPart } from '#platform/wire/schema.ts'
import { PdfAnswer, sendPdf, toPdf } from '../pdf.site.ts'
import { renderPackingSlips } from '../render.files.ts'
import { getPackingSlip, getPackingSlips } from './queries.ts'
import { readIds } from './rules.ts'

const config = { access: { scope: 'orders' } } as const
const tags = ['Fulfillments']
const SLIPS_MAX = 100

export const packingSlipRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/fulfillments/:token/packing_slip.pdf',
    {
      config,
      schema: {
        tags,
        operationId: 'getPackingSlip',
        summary: 'Read the packing slip of an order as a PDF',
        description: 'Where it goes, and what to pack, in the language of the customer. It names no prices.',
        params: Type.Object({ token: PathPart('Id of the order.') }),
        response: { 200: PdfAnswer },
      },
    },
    async (request, reply) => {
      const slip = await getPackingSlip(db, request.caller.companyId, request.params.token)
      return sendPdf(request, reply, toPdf(`packing-slip-${slip.orderId}`, await renderPackingSlips([slip])))
    },
  )

  app.get(
    '/fulfillments/packing_slips.pdf',
    {
      config,
      schema: {
        tags,
        operationId: 'getPackingSlips',
        summary: 'Read the packing slips of several orders as one PDF',
        description: 'Each slip begins on a new page.',
        querystring: Type.Object({
          ids: Type.String({
            minLength: 1,
            maxLength: 2000,
            description: `Ids of the orders, with commas between them: ${SLIPS_MAX} at most.`,
            examples: ['1042,1043'],
          }),
        }),
        response: { 200: PdfAnswer },
      },
    },
    async (request, reply) => {
      const ids = readIds(request.query.ids)
      if (ids === undefined || ids.length > SLIPS_MAX)
        throw validationFailed('ids', fieldInvalid(`has to be 1 to ${SLIPS_MAX} ids with commas between them`))
      const slips = await getPackingSlips(db, request.caller.companyId, ids)
      return sendPdf(request, reply, toPdf('packing-slips', await renderPackingSlips(slips)))
    },
  )

  done()
}
