import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf, originOf } from '#platform/http/requests/origin.ts'
import type { ResourceApp, ResourceOptions } from '#platform/http/resource.ts'
import { Empty, named, PathPart, Text } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { changerOf, deleteWebhook, subscribe, updateWebhook } from './commands.ts'
import { presentWebhook } from './present.ts'
import { getWebhook, listWebhooks, lockWebhook } from './queries.ts'
import { ownerOf, seenBy } from './rules.ts'
import { NewWebhookInput, Webhook, WebhookInput } from './schema.ts'

const config = { access: { scope: 'webhooks' } } as const
const tags = ['Webhooks']
const Ref = Type.Object({ id: PathPart('Id of the webhook.') })
const ListQuery = Type.Object({
  topic: Type.Optional(
    Text(100, 'Only webhooks with this topic. `data_change_sync` shows the row that carries data change sync.', [
      'order/create',
    ]),
  ),
  ...Paging.properties,
})
const Single = Type.Object({ webhook: named(Webhook) })

const webhook = single(
  'webhook',
  async (db, { caller, params }: Asked<{ id: string }>) =>
    asciiJson(presentWebhook(seenBy(caller, await getWebhook(db, ownerOf(caller), params.id)))),
  (tx, { caller, params }) => lockWebhook(tx, ownerOf(caller), params.id),
)

/** The name of an operation in the OpenAPI document. */
type Naming = (name: string) => string
const asItIs: Naming = (name) => name

/** The routes that apps and users share. */
function addRoutes(app: ResourceApp, { db, now }: ResourceOptions, operationId: Naming): void {
  app.get(
    '/webhooks.json',
    {
      config,
      schema: {
        tags,
        operationId: operationId('listWebhooks'),
        summary: 'List webhooks',
        querystring: ListQuery,
        response: { 200: Type.Object({ webhooks: Type.Array(named(Webhook)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'webhooks', listWebhooks(db, ownerOf(request.caller), request.query.topic), (rows) =>
        rows.map((row) => presentWebhook(seenBy(request.caller, row))),
      ),
  )

  app.get(
    '/webhooks/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: operationId('getWebhook'),
        summary: 'Read a webhook',
        description: 'An app may poll it to see whether it is still active.',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => sendSingle(request, reply, webhook, db),
  )

  app.put(
    '/webhooks/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: operationId('updateWebhook'),
        summary: 'Change a webhook',
        description:
          '`is_active` true activates it again: what waited for it is sent. `is_active` false pauses it. A webhook that is failing and gets another address is tried at once.',
        params: Ref,
        body: Type.Object({ webhook: WebhookInput }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, webhook, (tx) =>
        updateWebhook(
          tx,
          authorOf(request),
          changerOf(request.caller),
          request.params.id,
          request.body.webhook,
          now(request.caller.companyId),
        ),
      ),
  )

  app.delete(
    '/webhooks/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: operationId('deleteWebhook'),
        summary: 'Delete a webhook',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, webhook, (tx) =>
        deleteWebhook(
          tx,
          authorOf(request),
          changerOf(request.caller),
          request.params.id,
          now(request.caller.companyId),
        ),
      ),
  )
}

function addCreateRoute(app: ResourceApp, { now }: ResourceOptions, operationId: Naming): void {
  app.post(
    '/webhooks.json',
    {
      config,
      schema: {
        tags,
        operationId: operationId('createWebhook'),
        summary: 'Subscribe to events',
        description:
          'The webhook belongs to the app and the company of the access token. The same topic and address once more answer the webhook that is there, active. A signed-in user names the app; one of your own that nobody has let in yet is let in with it, for webhooks alone.',
        body: Type.Object({ webhook: NewWebhookInput }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, webhook, (tx) =>
        subscribe(tx, request.caller, originOf(request), request.body.webhook, now(request.caller.companyId)),
      ),
  )
}

export const webhookRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, options, done) => {
  addRoutes(app, options, asItIs)
  addCreateRoute(app, options, asItIs)
  done()
}

/** The interface has webhooks below /admin; they are the same. */
export const webhookRoutesBelowAdmin: FastifyPluginCallbackTypebox<ResourceOptions> = (app, options, done) => {
  const belowAdmin: Naming = (name) => `${name}BelowAdmin`
  app.register(
    (admin, _options, registered) => {
      addRoutes(admin, options, belowAdmin)
      addCreateRoute(admin, options, belowAdmin)
      registered()
    },
    { prefix: '/admin' },
  )
  done()
}
