import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendFile } from '#platform/http/answers/answers.ts'
import { csvOf } from '#platform/http/answers/csv-lists.ts'
import { Fields, Paging, sendList, sortedPaging } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, EmailParameter, Empty, named, PathPart } from '#platform/wire/schema.ts'
import { createBuyerChecks } from './buyers/checks.commands.ts'
import { cancelOrder } from './cancel.commands.ts'
import { updateOrder } from './commands.ts'
import { HEADING, linesOf } from './csv.present.ts'
import { createManualOrder, type SendBill } from './manual/commands.ts'
import { countOrders, getOrderDocument, listOrders, lockSale } from './queries.ts'
import { wholeDocument } from './rules.ts'
import { Order, OrderChange, OrderFilters, OrderInput } from './schema.ts'

const handling = { access: { scope: 'orders' } } as const
/** An order is paid when it is made, and gives rights. */
const selling = { access: { scope: 'orders', permissions: ['accounting'] } } as const
const tags = ['Orders']
const Ref = Type.Object({ id: PathPart('Id of the order.') })
const ListQuery = Type.Object({
  ...sortedPaging('created_at').properties,
  ...OrderFilters.properties,
  format: Type.Optional(
    Type.String({ maxLength: 10, description: '`csv` for a file that a spreadsheet opens, with all orders that fit.' }),
  ),
})
const Many = Type.Object({ orders: Type.Array(named(Order)) })
const CountQuery = Type.Object({ ...OrderFilters.properties, since_id: Paging.properties.since_id })
const CreateQuery = Type.Object({
  email: Type.Optional(EmailParameter(100, 'Another place for the email address.')),
})
const One = Type.Object({ order: named(Order) })
const order = single(
  'order',
  async (db, { caller, params }: Asked<{ id: string }>) => getOrderDocument(db, caller.companyId, params.id),
  (tx, { caller, params }) => lockSale(tx, caller.companyId, params.id),
)

export const createOrderRoutes =
  (sendBill: SendBill): FastifyPluginCallbackTypebox<ResourceOptions> =>
  (app, { db, now, clock }, done) => {
    const identify = createBuyerChecks({ db, clock, change: (work) => app.change(work) })

    app.get(
      '/orders.json',
      {
        config: handling,
        schema: {
          tags,
          operationId: 'listOrders',
          summary: 'List orders',
          querystring: ListQuery,
          response: {
            200: {
              description: 'The orders, or the file.',
              content: {
                'application/json': { schema: Many },
                'text/csv': { schema: Type.String({ description: 'With `format=csv`.' }) },
              },
            },
          },
        },
      },
      async (request, reply) => {
        const { format, ...filters } = request.query
        const list = listOrders(db, request.caller.companyId, filters)
        if (format?.toLowerCase() !== 'csv') return sendList(request, reply, 'orders', list, wholeDocument)
        return sendFile(reply, { name: 'orders.csv', type: 'text/csv' }, await csvOf(list, HEADING, linesOf))
      },
    )

    app.get(
      '/orders/count.json',
      {
        config: handling,
        schema: {
          tags,
          operationId: 'countOrders',
          summary: 'Count orders',
          querystring: CountQuery,
          response: { 200: named(Count) },
        },
      },
      async ({ caller, query }) => ({ count: await countOrders(db, caller.companyId, query) }),
    )

    app.get(
      '/orders/:id.json',
      {
        config: handling,
        schema: {
          tags,
          operationId: 'getOrder',
          summary: 'Read an order',
          params: Ref,
          querystring: Fields,
          response: { 200: One },
        },
      },
      async (request, reply) => sendSingle(request, reply, order, db),
    )

    app.post(
      '/orders.json',
      {
        config: { ...selling, priority: 'high' },
        schema: {
          tags,
          operationId: 'createOrder',
          summary: 'Create an order',
          description:
            'No payment is collected. The customer is found by token, or by email address; only an address without an account needs a password, and one that is sent has to be right. Addresses of the customer count for this order, and new ones are added to those that the company knows. Prices and taxes are those of the service. A user of the company, who is signed in to the admin interface, needs no password for anybody.',
          querystring: CreateQuery,
          body: Type.Object({ order: OrderInput }),
          response: { 201: One },
        },
      },
      async (request, reply) => {
        const { caller, body, query } = request
        const acceptLanguage = request.headers['accept-language'] ?? ''
        const isUser = caller.kind === 'user'
        const buyer = await identify(caller.companyId, body.order, { query, acceptLanguage, mayBeGuest: isUser })
        return app.write(request, reply.code(201), order, (tx) =>
          createManualOrder(
            tx,
            { ...authorOf(request), isUser },
            body.order,
            buyer,
            sendBill,
            now(request.caller.companyId),
          ),
        )
      },
    )

    app.put(
      '/orders/:id.json',
      {
        config: handling,
        schema: {
          tags,
          operationId: 'updateOrder',
          summary: 'Change an order',
          description:
            'Only `order_number`, `po_number`, `buyer_accepts_marketing`, `confirmed`, `closed_at` and, until it is shipped, `shipping_address` can be changed; it is replaced whole. Line items that differ from those that are stored are refused.',
          params: Ref,
          body: Type.Object({ order: OrderChange }),
          response: { 200: One },
        },
      },
      async (request, reply) => {
        const { caller, params, body } = request
        return app.write(request, reply, order, (tx) =>
          updateOrder(tx, caller, params.id, body.order, now(request.caller.companyId)),
        )
      },
    )

    app.delete(
      '/orders/:id.json',
      {
        config: selling,
        schema: {
          tags,
          operationId: 'cancelOrder',
          summary: 'Cancel an order',
          description: 'The order can still be read, with the time in `cancelled_at`. Goods go back into their stock.',
          params: Ref,
          response: { 200: named(Empty) },
        },
      },
      async (request, reply) =>
        app.remove(request, reply, order, (tx) =>
          cancelOrder(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
        ),
    )

    done()
  }
