import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart, Text } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { deleteReview, updateReview } from './commands.ts'
import { presentReview } from './present.ts'
import { countReviews, getReview, listReviews, lockReview } from './queries.ts'
import { Review, ReviewChange, State } from './schema.ts'

const reading = { access: { scope: 'products' } } as const
const changing = { access: { scope: 'products', permissions: ['request_products'] } } as const
const tags = ['Reviews']
const Ref = Type.Object({ id: PathPart('Id of the review.') })
const filters = {
  state: Type.Optional(State),
  product_id: Type.Optional(Text(100, 'Only the reviews of this product.', ['0001-26ED-EA4F-AA32'])),
}
const ListQuery = Type.Object({ ...filters, ...Paging.properties })
const CountQuery = Type.Object({ ...filters, since_id: Paging.properties.since_id })
const Single = Type.Object({ review: named(Review) })
const review = single(
  'review',
  async (db, { caller, params }: Asked<{ id: string }>) =>
    asciiJson(presentReview(await getReview(db, caller.companyId, params.id))),
  (tx, { caller, params }) => lockReview(tx, caller.companyId, params.id),
)

/** For apps and for signed-in users. Customers write reviews in the shop. */
export const reviewRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/reviews.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listReviews',
        summary: 'List reviews',
        querystring: ListQuery,
        response: { 200: Type.Object({ reviews: Type.Array(named(Review)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'reviews', listReviews(db, request.caller.companyId, request.query), (rows) =>
        rows.map(presentReview),
      ),
  )

  app.get(
    '/reviews/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countReviews',
        summary: 'Count reviews',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countReviews(db, caller.companyId, query) }),
  )

  app.get(
    '/reviews/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getReview',
        summary: 'Read a review',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => sendSingle(request, reply, review, db),
  )

  app.put(
    '/reviews/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updateReview',
        summary: 'Approve or reject a review',
        description: 'The shop shows an approved review at once, and no longer shows one that is rejected.',
        params: Ref,
        body: Type.Object({ review: ReviewChange }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, review, (tx) =>
        updateReview(tx, authorOf(request), request.params.id, request.body.review, now(request.caller.companyId)),
      ),
  )

  app.delete(
    '/reviews/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deleteReview',
        summary: 'Delete a review',
        description: 'The customer can write another one.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, review, (tx) => deleteReview(tx, authorOf(request), request.params.id)),
  )

  done()
}
