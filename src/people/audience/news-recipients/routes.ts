import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { CsvFormat, isCsv, listOrFile, sendCsv } from '#platform/http/answers/csv-lists.ts'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { deleteNewsRecipient, signUp, updateNewsRecipient } from './commands.ts'
import { HEADING, linesOf } from './csv.present.ts'
import { presentNewsRecipient } from './present.ts'
import { countNewsRecipients, getNewsRecipient, listNewsRecipients, lockNewsRecipient } from './queries.ts'
import { NewsRecipient, NewsRecipientChange, NewsRecipientFilters, NewsRecipientInput } from './schema.ts'
import type { NewsRecipientState } from './state.ts'

const config = { access: { scope: 'customers' } } as const
const tags = ['Newsletter recipients']
const Ref = Type.Object({ id: PathPart('Id of the newsletter recipient.') })
const ListQuery = Type.Object({ ...Paging.properties, ...NewsRecipientFilters.properties, format: CsvFormat })
const CountQuery = Type.Object({ ...NewsRecipientFilters.properties, since_id: Paging.properties.since_id })
const Single = Type.Object({ newsrecipient: named(NewsRecipient) })
const newsRecipient = single(
  'newsrecipient',
  async (db, { caller, params }: Asked<{ id: string }>) =>
    asciiJson(presentNewsRecipient(await getNewsRecipient(db, caller.companyId, params.id))),
  (tx, { caller, params }) => lockNewsRecipient(tx, caller.companyId, params.id),
)

export const newsRecipientRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/newsrecipients.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listNewsRecipients',
        summary: 'List newsletter recipients',
        querystring: ListQuery,
        response: { 200: listOrFile(Type.Object({ newsrecipients: Type.Array(named(NewsRecipient)) })) },
      },
    },
    async (request, reply) => {
      const list = listNewsRecipients(db, request.caller.companyId, request.query)
      const present = (rows: NewsRecipientState[]) => rows.map(presentNewsRecipient)
      return isCsv(request.query.format)
        ? sendCsv(reply, 'newsletter-recipients.csv', list, HEADING, (rows) => linesOf(present(rows)))
        : sendRows(request, reply, 'newsrecipients', list, present)
    },
  )

  app.get(
    '/newsrecipients/count.json',
    {
      config,
      schema: {
        tags,
        operationId: 'countNewsRecipients',
        summary: 'Count newsletter recipients',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countNewsRecipients(db, caller.companyId, query) }),
  )

  app.get(
    '/newsrecipients/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getNewsRecipient',
        summary: 'Read a newsletter recipient',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => sendSingle(request, reply, newsRecipient, db),
  )

  app.post(
    '/newsrecipients.json',
    {
      config,
      schema: {
        tags,
        operationId: 'createNewsRecipient',
        summary: 'Sign a person up for a newsletter',
        description:
          'The person is named by `customer_token` or by `email`. Without `confirmed_at` the recipient is `pending` and gets a mail with a link to confirm, at most three a day. Somebody who has signed up before is answered with 200 and not added twice: a pending recipient gets another mail, and one who has left is pending again.',
        body: Type.Object({ newsrecipient: NewsRecipientInput }),
        response: { 200: Single, 201: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, newsRecipient, async (tx) => {
        const { isNew, ...written } = await signUp(
          tx,
          request.caller,
          request.body.newsrecipient,
          app.baseUrl,
          now(request.caller.companyId),
        )
        reply.code(isNew ? 201 : 200)
        return written
      }),
  )

  app.put(
    '/newsrecipients/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'updateNewsRecipient',
        summary: 'Change a newsletter recipient',
        description:
          'Records a consent that your app has, or ends the newsletter with `state` `unsubscribed`. Person and shop stay the same.',
        params: Ref,
        body: Type.Object({ newsrecipient: NewsRecipientChange }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, newsRecipient, (tx) =>
        updateNewsRecipient(
          tx,
          request.caller,
          request.params.id,
          request.body.newsrecipient,
          now(request.caller.companyId),
        ),
      ),
  )

  app.delete(
    '/newsrecipients/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteNewsRecipient',
        summary: 'Delete a newsletter recipient',
        description:
          'Forgets the person. To keep on record that somebody wants no newsletter, set `state` to `unsubscribed` instead.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, newsRecipient, (tx) => deleteNewsRecipient(tx, request.caller, request.params.id)),
  )

  done()
}
