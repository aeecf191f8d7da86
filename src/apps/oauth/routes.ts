import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { tokenCallerOf } from '#platform/http/requests/authenticate.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { presentTokenInformation } from './present.ts'
import { findHolder } from './queries.ts'
import { TokenInformation } from './schema.ts'
import { ALL_SCOPES } from './scopes.facts.ts'

export const oauthRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, clock }, done) => {
  app.get(
    '/tokeninfo',
    {
      // Any token may ask about itself.
      config: { access: { scope: ALL_SCOPES }, anyScope: true },
      schema: {
        tags: ['Token information'],
        operationId: 'getTokenInformation',
        summary: 'Read what an access token is good for',
        response: { 200: named(TokenInformation) },
      },
    },
    async (request) => {
      const caller = tokenCallerOf(request)
      return presentTokenInformation(caller, await findHolder(db, caller), nowInSeconds(clock))
    },
  )

  done()
}
