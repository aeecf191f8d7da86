import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { t } from '#platform/text/messages.ts'
import { type WantedLicense, wantedLicense } from '#rights/playbacks/rules.ts'
import { memberOf, pathPart } from '#shop/sign-in/sessions/site.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { BYTES, PRIVATE, sendStop } from './answers.site.ts'
import { takeLicense } from './licenses.commands.ts'
import { type Address, createStreams } from './streams.files.ts'

type Options = Pick<ResourceOptions, 'db' | 'now' | 'clock' | 'vault' | 'files' | 'drmProxy'>

/** More than any license request has. */
const REQUEST_BYTES_MAX = 65_536
const REFUSED = 403
const BAD_GATEWAY = 502

/** License requests of commercial DRM: what the rights engine allows goes to the proxy of the operator, and its answer back. */
export const licenseRoutes: FastifyPluginCallback<Options> = (
  app,
  { db, now, clock, vault, files, drmProxy },
  done,
) => {
  requireEncryption(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: REQUEST_BYTES_MAX }, (_request, body, parsed) =>
    parsed(null, body),
  )
  const routes = shopRoutes(app)
  const streams = createStreams({ db, vault, files, now, clock, change: app.change })
  // The address is the operator's own, and may be on this machine.
  const outbound = createOutbound({ isPublic: () => true })
  app.addHook('onClose', () => outbound.close())

  async function send(wanted: WantedLicense, address: Address, request: FastifyRequest, reply: FastifyReply) {
    if (drmProxy === undefined) throw shopPageNotFound()
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const clientTime = String(request.headers['x-client-time'] ?? '')
    const work = { streams, outbound, proxy: drmProxy, issuer: app.baseUrl, now, clock }
    const answer = await takeLicense(work, address, { ...wanted, body, clientTime })
    if (answer.kind === 'license') return reply.headers(BYTES).send(answer.body)
    if (answer.kind !== 'declined' && answer.kind !== 'out of reach') return sendStop(answer, request, reply, now)
    if (answer.kind === 'out of reach') request.log.warn({ err: answer.error }, 'LICET_DRM_PROXY_URL gave no license')
    const isDeclined = answer.kind === 'declined'
    const code = isDeclined ? 'drm_declined' : 'drm_unreachable'
    const reason = t(request.visit.language, `pages.player.stopped.${code}`)
    return reply
      .code(isDeclined ? REFUSED : BAD_GATEWAY)
      .headers(PRIVATE)
      .send({ code, reason })
  }

  routes.post('/my-content/:id/stream/:playback/:name', {}, async (request, reply) => {
    const wanted = wantedLicense(pathPart(request, 'name'))
    const member = memberOf(request) ?? request.visit.guest
    if (wanted === undefined) throw shopPageNotFound()
    if (member === undefined) return sendStop({ kind: 'over', why: 'left' }, request, reply, now)
    const [entitlement, playback] = [pathPart(request, 'id'), pathPart(request, 'playback')]
    return send(wanted, { session: member.session, entitlement, playback }, request, reply)
  })

  done()
}
