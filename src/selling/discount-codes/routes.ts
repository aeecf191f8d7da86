import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart, WordsParameter } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { createDiscountCode, deleteDiscountCode, updateDiscountCode } from './commands.ts'
import { presentDiscountCode } from './present.ts'
import { countDiscountCodes, getDiscountCode, listDiscountCodes, lockDiscountCode } from './queries.ts'
import { DiscountCode, DiscountCodeChange, DiscountCodeInput } from './schema.ts'

const reading = { access: { scope: 'products' } } as const
const changing = { access: { scope: 'products', permissions: ['request_products'] } } as const
const tags = ['Discount codes']
const Ref = Type.Object({ id: PathPart('Id of the discount code.') })
const q = Type.Optional(WordsParameter('The beginning of a code, in any case.', 'spring'))
const ListQuery = Type.Object({ q, ...Paging.properties })
const CountQuery = Type.Object({ q, since_id: Paging.properties.since_id })
const Single = Type.Object({ discount_code: named(DiscountCode) })
const discountCode = single(
  'discount_code',
  async (db, { caller, params }: Asked<{ id: string }>) =>
    asciiJson(presentDiscountCode(await getDiscountCode(db, caller.companyId, params.id))),
  (tx, { caller, params }) => lockDiscountCode(tx, caller.companyId, params.id),
)

/** For apps and for signed-in users. */
export const discountCodeRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/discount_codes.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listDiscountCodes',
        summary: 'List discount codes',
        querystring: ListQuery,
        response: { 200: Type.Object({ discount_codes: Type.Array(named(DiscountCode)) }) },
      },
    },
    async (request, reply) =>
      sendRows(
        request,
        reply,
        'discount_codes',
        listDiscountCodes(db, request.caller.companyId, request.query),
        (rows) => rows.map(presentDiscountCode),
      ),
  )

  app.get(
    '/discount_codes/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countDiscountCodes',
        summary: 'Count discount codes',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countDiscountCodes(db, caller.companyId, query) }),
  )

  app.get(
    '/discount_codes/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getDiscountCode',
        summary: 'Read a discount code',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => sendSingle(request, reply, discountCode, db),
  )

  app.post(
    '/discount_codes.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'createDiscountCode',
        summary: 'Create a discount code',
        description: 'Customers can enter the code in upper or lower case.',
        body: Type.Object({ discount_code: DiscountCodeInput }),
        response: { 201: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), discountCode, (tx) =>
        createDiscountCode(tx, authorOf(request), request.body.discount_code, now(request.caller.companyId)),
      ),
  )

  app.put(
    '/discount_codes/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updateDiscountCode',
        summary: 'Change a discount code',
        description: 'Orders that used the code keep what it took off.',
        params: Ref,
        body: Type.Object({ discount_code: DiscountCodeChange }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, discountCode, (tx) =>
        updateDiscountCode(
          tx,
          authorOf(request),
          request.params.id,
          request.body.discount_code,
          now(request.caller.companyId),
        ),
      ),
  )

  app.delete(
    '/discount_codes/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deleteDiscountCode',
        summary: 'Delete a discount code',
        description: 'New orders cannot use it any more. Orders that used it keep what it took off.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, discountCode, (tx) =>
        deleteDiscountCode(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
