import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { Fields } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { updateSignInSettings } from './commands.ts'
import { lockSignInSettings, readSignInSettings } from './queries.ts'
import { SignInSettings, SignInSettingsInput } from './schema.ts'

const config = { access: { permissions: ['create_users'] } } as const
const tags = ['Users']
const One = Type.Object({ sign_in_settings: named(SignInSettings) })

const signInSettings = single(
  'sign_in_settings',
  async (db, { caller }: Asked<unknown>) => asciiJson(await readSignInSettings(db, caller.companyId)),
  (tx, { caller }) => lockSignInSettings(tx, caller.companyId),
)

/** What a company asks of everybody who signs in. */
export const signInSettingsRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, clock }, done) => {
  app.get(
    '/sign_in_settings.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getSignInSettings',
        summary: 'Read what is asked of everybody who signs in',
        querystring: Fields,
        response: { 200: One, 304: Type.Null({ description: 'Nothing changed.' }) },
      },
    },
    async (request, reply) => sendSingle(request, reply, signInSettings, db),
  )

  app.put(
    '/sign_in_settings.json',
    {
      config,
      schema: {
        tags,
        operationId: 'updateSignInSettings',
        summary: 'Change what is asked of everybody who signs in',
        description: 'Only somebody who signs in in two steps can require it of everybody.',
        body: Type.Object({ sign_in_settings: SignInSettingsInput }),
        response: { 200: One },
      },
    },
    async (request, reply) => {
      const { caller, session, body } = request
      return app.write(request, reply, signInSettings, async (tx) => {
        const by = { session, author: authorOf(request) }
        const state = await updateSignInSettings(tx, by, body.sign_in_settings, nowInSeconds(clock))
        return { state, document: asciiJson(await readSignInSettings(tx, caller.companyId)) }
      })
    },
  )

  done()
}
