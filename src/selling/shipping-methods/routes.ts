import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { createShippingMethod, deleteShippingMethod, updateShippingMethod } from './commands.ts'
import { presentShippingMethod } from './present.ts'
import { countShippingMethods, getShippingMethod, listShippingMethods, lockShippingMethod } from './queries.ts'
import { ShippingMethod, ShippingMethodChange, ShippingMethodInput } from './schema.ts'

const reading = { access: { scope: 'products' } } as const
const changing = { access: { scope: 'products', permissions: ['request_products'] } } as const
const tags = ['Shipping methods']
const Ref = Type.Object({ id: PathPart('Id of the shipping method.') })
const CountQuery = Type.Object({ since_id: Paging.properties.since_id })
const Single = Type.Object({ shipping_method: named(ShippingMethod) })
const shippingMethod = single(
  'shipping_method',
  async (db, { caller, params }: Asked<{ id: string }>) =>
    asciiJson(presentShippingMethod(await getShippingMethod(db, caller.companyId, params.id))),
  (tx, { caller, params }) => lockShippingMethod(tx, caller.companyId, params.id),
)

/** For apps and for signed-in users. */
export const shippingMethodRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/shipping_methods.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listShippingMethods',
        summary: 'List shipping methods',
        querystring: Paging,
        response: { 200: Type.Object({ shipping_methods: Type.Array(named(ShippingMethod)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'shipping_methods', listShippingMethods(db, request.caller.companyId), (rows) =>
        rows.map(presentShippingMethod),
      ),
  )

  app.get(
    '/shipping_methods/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countShippingMethods',
        summary: 'Count shipping methods',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countShippingMethods(db, caller.companyId, query.since_id) }),
  )

  app.get(
    '/shipping_methods/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getShippingMethod',
        summary: 'Read a shipping method',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => sendSingle(request, reply, shippingMethod, db),
  )

  app.post(
    '/shipping_methods.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'createShippingMethod',
        summary: 'Create a shipping method',
        description:
          'An order with goods uses the first method by `position` that ships to its country, unless it names another.',
        body: Type.Object({ shipping_method: ShippingMethodInput }),
        response: { 201: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), shippingMethod, (tx) =>
        createShippingMethod(tx, authorOf(request), request.body.shipping_method, now(request.caller.companyId)),
      ),
  )

  app.put(
    '/shipping_methods/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updateShippingMethod',
        summary: 'Change a shipping method',
        description: 'Orders that exist keep the method as it was.',
        params: Ref,
        body: Type.Object({ shipping_method: ShippingMethodChange }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, shippingMethod, (tx) =>
        updateShippingMethod(
          tx,
          authorOf(request),
          request.params.id,
          request.body.shipping_method,
          now(request.caller.companyId),
        ),
      ),
  )

  app.delete(
    '/shipping_methods/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deleteShippingMethod',
        summary: 'Delete a shipping method',
        description: 'New orders cannot use it any more. Orders that exist keep it.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, shippingMethod, (tx) =>
        deleteShippingMethod(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
