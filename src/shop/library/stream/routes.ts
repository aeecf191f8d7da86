import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { languageNames } from '#identity/languages/rules.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { type WantedPart, wantedPart } from '#rights/playbacks/rules.ts'
import type { PlaybackState } from '#rights/playbacks/state.ts'
import { memberOf, pathPart } from '#shop/sign-in/sessions/site.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { BYTES, PLAYLIST, sendStop } from './answers.site.ts'
import { readEngine } from './engine.files.ts'
import { type Address, createStreams } from './streams.files.ts'

type Options = Pick<ResourceOptions, 'db' | 'now' | 'clock' | 'vault' | 'files'>

const FOR_EVER = 'public, max-age=31536000, immutable'

/** Protected films and recordings: playlists, encrypted segments, and their keys, each for the session that began to play. */
export const streamRoutes: FastifyPluginCallback<Options> = (app, { db, now, clock, vault, files }, done) => {
  requireEncryption(app)
  const routes = shopRoutes(app, { priority: 'high' })
  const streams = createStreams({ db, vault, files, now, clock, change: app.change })

  async function sendSegment(
    playback: PlaybackState,
    wanted: Extract<WantedPart, { kind: 'segment' }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const segment = await streams.openSegment(playback, wanted)
    reply.hijack()
    app.isTransfer(reply.raw)
    // Players fetch whole segments. A part of one could not be decrypted, so the whole is the answer to every range.
    const length = segment.bytes === undefined ? {} : { 'content-length': String(segment.bytes) }
    reply.raw.writeHead(200, { ...BYTES, ...length })
    try {
      await segment.sendTo(reply.raw)
    } catch (error) {
      if (!reply.raw.destroyed) reply.log.error({ err: error }, 'a segment could not be sent')
      reply.raw.destroy()
    } finally {
      await segment.close()
    }
    return reply
  }

  async function sendKey(
    address: Address,
    wanted: Extract<WantedPart, { kind: 'key' }>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const clientTime = String(request.headers['x-client-time'] ?? '')
    const answer = await streams.takeKey(address, wanted, clientTime)
    if (Buffer.isBuffer(answer)) return reply.headers(BYTES).send(answer)
    return sendStop(answer, request, reply, now)
  }

  async function sendPart(wanted: WantedPart, address: Address, request: FastifyRequest, reply: FastifyReply) {
    if (wanted.kind === 'key') return sendKey(address, wanted, request, reply)
    const playback = await streams.find(address)
    if (playback.ended !== null) return sendStop({ kind: 'over', why: playback.ended }, request, reply, now)
    if (wanted.kind === 'segment') return sendSegment(playback, wanted, reply)
    if (wanted.kind === 'track') return reply.headers(PLAYLIST).send(await streams.readTrack(playback, wanted))
    if (wanted.kind === 'protected init')
      return reply.headers(BYTES).send(await streams.readProtectedInit(playback, wanted))
    if (wanted.kind === 'init') return reply.headers(BYTES).send(await streams.readInit(playback, wanted))
    const nameOf = languageNames(request.visit.language)
    return reply.headers(PLAYLIST).send(await streams.readMain(playback, wanted.encryption, nameOf))
  }

  routes.get('/my-content/:id/stream/:playback/:name', {}, async (request, reply) => {
    const wanted = wantedPart(pathPart(request, 'name'))
    const member = memberOf(request) ?? request.visit.guest
    // A player does not follow to the sign-in, and shows this instead.
    if (member === undefined) return sendStop({ kind: 'over', why: 'left' }, request, reply, now)
    if (wanted === undefined) throw shopPageNotFound()
    const { session } = member
    const [entitlement, playback] = [pathPart(request, 'id'), pathPart(request, 'playback')]
    return sendPart(wanted, { session, entitlement, playback }, request, reply)
  })

  done()
}

const Version = Type.Object({ version: Type.String({ maxLength: 20 }) })

/** The library of the player, on every host. */
export const engineRoutes: FastifyPluginCallback = (app, _options, done) => {
  app.get<{ Params: { version: string } }>(
    '/assets/player/:version/hls.mjs',
    { config: { public: true }, schema: { hide: true, params: Version } },
    async (_request, reply) => {
      const { bytes } = await readEngine()
      return reply
        .headers({ 'content-type': 'text/javascript', 'cache-control': FOR_EVER, 'x-content-type-options': 'nosniff' })
        .send(bytes)
    },
  )

  done()
}
