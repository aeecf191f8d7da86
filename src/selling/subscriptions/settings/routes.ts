import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { holdSettings, updateSettings } from './commands.ts'
import { presentSettings } from './present.ts'
import { readSettings } from './queries.ts'
import { SubscriptionSettings, SubscriptionSettingsInput } from './schema.ts'

const config = { access: { permissions: ['create_users'] } } as const
const tags = ['Subscriptions']
const Single = Type.Object({ subscription_settings: named(SubscriptionSettings) })

/** For signed-in users. */
export const subscriptionSettingsRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  const settings = single(
    'subscription_settings',
    async (db, { caller }: Asked<unknown>) => asciiJson(presentSettings(await readSettings(db, caller.companyId))),
    (tx, { caller }) => holdSettings(tx, caller.companyId),
  )

  app.get(
    '/subscription_settings.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getSubscriptionSettings',
        summary: 'Read the subscription settings',
        querystring: Fields,
        response: { 200: Single, 304: Type.Null({ description: 'Nothing changed.' }) },
      },
    },
    async (request, reply) => sendSingle(request, reply, settings, db),
  )

  app.put(
    '/subscription_settings.json',
    {
      config,
      schema: {
        tags,
        operationId: 'updateSubscriptionSettings',
        summary: 'Change the subscription settings',
        description: 'Settings that are left out stay as they are.',
        body: Type.Object({ subscription_settings: SubscriptionSettingsInput }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, settings, (tx) =>
        updateSettings(tx, authorOf(request), request.body.subscription_settings, now(request.caller.companyId)),
      ),
  )

  done()
}
