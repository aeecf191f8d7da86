import type { FastifyPluginCallback } from 'fastify'
import { type Static, Type } from 'typebox'
import { readJson } from '#platform/http/requests/json.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { memberOf, pathPart } from '#shop/sign-in/sessions/site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { PRIVATE, sendStop } from './answers.site.ts'
import { createStreams } from './streams.files.ts'

type Options = Pick<ResourceOptions, 'db' | 'now' | 'clock' | 'vault' | 'files'>

/** What a browser asks for as W3C Clear Key writes it: keys by their names. Pictures and sound may want theirs at once. */
const LicenseRequest = Type.Object({
  kids: Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' }), { minItems: 1, maxItems: 4 }),
  type: Type.Optional(Type.Literal('temporary')),
})

/** Keys for browsers that decrypt a film apart from the page, each for the session that began to play. */
export const clearKeyRoutes: FastifyPluginCallback<Options> = (app, { db, now, clock, vault, files }, done) => {
  requireEncryption(app)
  // Forms of pages are not read here.
  readJson(app)
  const routes = shopRoutes(app, { priority: 'high' })
  const streams = createStreams({ db, vault, files, now, clock, change: app.change })

  routes.post<{ Body: Static<typeof LicenseRequest> }>(
    '/my-content/:id/stream/:playback/license',
    { body: LicenseRequest },
    async (request, reply) => {
      const member = memberOf(request) ?? request.visit.guest
      if (member === undefined) return sendStop({ kind: 'over', why: 'left' }, request, reply, now)
      const [entitlement, playback] = [pathPart(request, 'id'), pathPart(request, 'playback')]
      const address = { session: member.session, entitlement, playback }
      const clientTime = String(request.headers['x-client-time'] ?? '')
      const answer = await streams.takeLicense(address, request.body.kids, clientTime)
      if (!Array.isArray(answer)) return sendStop(answer, request, reply, now)
      return reply.headers({ ...PRIVATE, 'content-type': 'application/json' }).send({ keys: answer, type: 'temporary' })
    },
  )

  done()
}
