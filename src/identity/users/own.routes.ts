import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { Fields } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { updateUser } from './commands.ts'
import { getOwnDocument, lockOwnUser } from './queries.ts'
import { OwnUserInput, User } from './schema.ts'

const config = { access: { own: true } } as const
const tags = ['Account']
const One = Type.Object({ user: named(User) })

const own = single(
  'user',
  async (db, { caller }: Asked<unknown>) => getOwnDocument(db, caller),
  (tx, { caller }) => lockOwnUser(tx, caller),
)

/** The signed-in user. */
export const ownUserRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, clock }, done) => {
  app.get(
    '/user.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getOwnUser',
        summary: 'Read the signed-in user',
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, own, db),
  )

  app.put(
    '/user.json',
    {
      config,
      schema: {
        tags,
        operationId: 'updateOwnUser',
        summary: 'Change the signed-in user',
        body: Type.Object({ user: OwnUserInput }),
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, own, (tx) => {
        const { companyId, userId } = request.session
        const source = { origin: originOf(request), baseUrl: app.baseUrl }
        return updateUser(
          tx,
          { ...request.caller, companyId },
          String(userId),
          request.body.user,
          source,
          nowInSeconds(clock),
        )
      }),
  )

  done()
}
