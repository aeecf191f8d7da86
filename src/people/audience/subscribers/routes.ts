import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { CsvFormat, isCsv, listOrFile, sendCsv } from '#platform/http/answers/csv-lists.ts'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { createSubscriber, deleteSubscriber, updateSubscriber } from './commands.ts'
import { HEADING, linesOf } from './csv.present.ts'
import { presentSubscriber } from './present.ts'
import { countSubscribers, getSubscriber, listSubscribers, lockSubscriber } from './queries.ts'
import { Subscriber, SubscriberChange, SubscriberFilters, SubscriberInput } from './schema.ts'
import type { SubscriberState } from './state.ts'

const reading = { access: { scope: 'customers' } } as const
const changing = { access: { scope: 'customers', permissions: ['unlock'] } } as const
const tags = ['Subscribers']
const Ref = Type.Object({ id: PathPart('Id of the subscriber.') })
const ListQuery = Type.Object({ ...Paging.properties, ...SubscriberFilters.properties, format: CsvFormat })
const CountQuery = Type.Object({ ...SubscriberFilters.properties, since_id: Paging.properties.since_id })
const Single = Type.Object({ subscriber: named(Subscriber) })

export const subscriberRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  const subscriber = single(
    'subscriber',
    async (db, { caller, params }: Asked<{ id: string }>) =>
      asciiJson(presentSubscriber(await getSubscriber(db, caller.companyId, params.id), now(caller.companyId))),
    (tx, { caller, params }) => lockSubscriber(tx, caller.companyId, params.id),
  )

  app.get(
    '/subscribers.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listSubscribers',
        summary: 'List subscribers',
        querystring: ListQuery,
        response: { 200: listOrFile(Type.Object({ subscribers: Type.Array(named(Subscriber)) })) },
      },
    },
    async (request, reply) => {
      const time = now(request.caller.companyId)
      const list = listSubscribers(db, request.caller.companyId, request.query, time)
      const present = (rows: SubscriberState[]) => rows.map((row) => presentSubscriber(row, time))
      return isCsv(request.query.format)
        ? sendCsv(reply, 'subscribers.csv', list, HEADING, (rows) => linesOf(present(rows)))
        : sendRows(request, reply, 'subscribers', list, present)
    },
  )

  app.get(
    '/subscribers/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countSubscribers',
        summary: 'Count subscribers',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({
      count: await countSubscribers(db, caller.companyId, query, now(caller.companyId)),
    }),
  )

  app.get(
    '/subscribers/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getSubscriber',
        summary: 'Read a subscriber',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => sendSingle(request, reply, subscriber, db),
  )

  app.post(
    '/subscribers.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'createSubscriber',
        summary: 'Create a subscriber',
        description:
          'The person is named by `customer_token` or by `email`; the address of a customer of the company gets the token. A person is in a group once: a second time is 422.',
        body: Type.Object({ subscriber: SubscriberInput }),
        response: { 201: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), subscriber, (tx) =>
        createSubscriber(tx, request.caller, request.body.subscriber, now(request.caller.companyId)),
      ),
  )

  app.put(
    '/subscribers/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updateSubscriber',
        summary: 'Change a subscriber',
        description: 'Changes the group or the end. The person stays the same.',
        params: Ref,
        body: Type.Object({ subscriber: SubscriberChange }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, subscriber, (tx) =>
        updateSubscriber(tx, request.caller, request.params.id, request.body.subscriber, now(request.caller.companyId)),
      ),
  )

  app.delete(
    '/subscribers/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deleteSubscriber',
        summary: 'Delete a subscriber',
        description: 'To end a subscription and keep it on record, set `ends_at` instead.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, subscriber, (tx) => deleteSubscriber(tx, request.caller, request.params.id)),
  )

  done()
}
