import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { nowInSeconds } from '#platform/clock.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { publishKeys } from './commands.ts'
import { presentJsonWebKey } from './present.ts'
import { listPublishedKeys } from './queries.ts'
import { CACHE_SECONDS } from './rules.ts'
import { JsonWebKeySet } from './schema.ts'

export const signingKeyRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, clock, vault }, done) => {
  app.get(
    '/.well-known/jwks.json',
    // RFC 7517: the public keys with which players check license files.
    { config: { public: true }, schema: { hide: true, response: { 200: JsonWebKeySet } } },
    async (_request, reply) => {
      const published = await listPublishedKeys(db, nowInSeconds(clock))
      const keys =
        published.length > 0 ? published : await app.change((tx) => publishKeys(tx, vault, nowInSeconds(clock)))
      reply.header('cache-control', `public, max-age=${CACHE_SECONDS}`)
      return { keys: keys.map(presentJsonWebKey) }
    },
  )
  done()
}
