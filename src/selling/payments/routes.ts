import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { markPaid, resolvePayment } from './commands.ts'
import { presentPayment } from './present.ts'
import { countPayments, getPayment, listPayments } from './queries.ts'
import { PaidOrder, Payment, PaymentFilters } from './schema.ts'

const config = { access: { scope: 'orders', permissions: ['accounting'] } } as const
const tags = ['Payments']
const Ref = Type.Object({ id: PathPart('Id of the payment.') })
const ListQuery = Type.Object({ ...PaymentFilters.properties, ...Paging.properties })
const CountQuery = Type.Object({ ...PaymentFilters.properties, since_id: Paging.properties.since_id })
const Single = Type.Object({ payment: named(Payment) })

/** For apps and for signed-in users. */
export const paymentRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/payments.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listPayments',
        summary: 'List payments',
        description:
          'Attempts of customers to pay orders of a shop. `flagged=true` lists those that the owner has to look at.',
        querystring: ListQuery,
        response: { 200: Type.Object({ payments: Type.Array(named(Payment)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'payments', listPayments(db, request.caller.companyId, request.query), (rows) =>
        rows.map(presentPayment),
      ),
  )

  app.get(
    '/payments/count.json',
    {
      config,
      schema: {
        tags,
        operationId: 'countPayments',
        summary: 'Count payments',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countPayments(db, caller.companyId, query) }),
  )

  app.get(
    '/payments/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getPayment',
        summary: 'Read a payment',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => {
      const payment = await getPayment(db, request.caller.companyId, request.params.id)
      return sendDocument(request, reply, 'payment', asciiJson(presentPayment(payment)))
    },
  )

  app.post(
    '/payments/:id/resolve.json',
    {
      config,
      schema: {
        tags,
        operationId: 'resolvePayment',
        summary: 'Remove the flags of a payment',
        description: 'Says that the owner has looked at the payment. It changes nothing else.',
        params: Ref,
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'payment', (tx) =>
        resolvePayment(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  app.post(
    '/orders/:id/mark_paid.json',
    {
      config,
      schema: {
        tags,
        operationId: 'markOrderPaid',
        summary: 'Mark an order as paid',
        description:
          'For an order of a shop whose money has arrived some other way, such as by bank transfer. The order is confirmed, and the customer may use what was bought. Marking it twice changes nothing.',
        params: Type.Object({ id: PathPart('Id of the order.') }),
        response: { 200: PaidOrder },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'order', (tx) =>
        markPaid(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
