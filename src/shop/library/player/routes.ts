import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { forBuyers, type Member, pathPart } from '#shop/sign-in/sessions/site.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { backOf, wantsJson } from '../pages-around.site.ts'
import { engineAddress } from '../stream/engine.files.ts'
import { readWay } from '../stream/queries.ts'
import { beginPlaying, keepPlaying, keepStreaming, rememberPlace, stopPlaying } from './commands.ts'
import { deviceOf } from './device.site.ts'
import {
  createPlayerSignatures,
  findOwnedPart,
  getPlayed,
  readOwnPositions,
  readSubtitles,
  readWatermark,
} from './owned.queries.ts'
import { choosePlayed, playerModel, type Watching } from './page.present.ts'
import { readPlace } from './rules.ts'

type Options = Pick<ResourceOptions, 'db' | 'now' | 'clock' | 'vault' | 'files'>

const REFUSED = 403
const NO_CONTENT = 204
const NO_STORE = { 'cache-control': 'no-store' }

const fileIn = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

/** The pages on which customers watch and listen. */
export const playerRoutes: FastifyPluginCallback<Options> = (app, { db, now, clock, vault, files }, done) => {
  requireEncryption(app)
  const routes = shopRoutes(app, { priority: 'high' })
  const signatures = createPlayerSignatures(vault)

  async function readPlaying(
    request: FastifyRequest,
    reply: FastifyReply,
    { session }: Member,
    file: string,
  ): Promise<Watching> {
    const grant = await getPlayed(db, session, pathPart(request, 'id'))
    const [positions, part] = await Promise.all([
      readOwnPositions(db, session, grant),
      findOwnedPart(db, session, grant, request.visit),
    ])
    const { base, language, country } = request.visit
    const device = deviceOf(request, reply)
    const chosen = choosePlayed({ grant, positions, fileId: fileIn(file) })
    if (chosen === undefined) throw shopPageNotFound()
    const [way, engine] = await Promise.all([readWay(db, grant, chosen.title), engineAddress()])
    const back = backOf(request)
    const watermark = await readWatermark(db, request.visit.shop, grant)
    const place = { device, base, language, country, back }
    return { grant, part, positions, fileId: fileIn(file), ...place, way, engine, watermark }
  }

  routes.get(
    '/my-content/:id/play',
    {},
    forBuyers(async (request, reply, member) => {
      const playing = await readPlaying(request, reply, member, queryText(request, 'file'))
      const model = playerModel(playing, undefined, undefined, now(request.visit.shop.company_id))
      if (model === undefined) throw shopPageNotFound()
      return reply.shopPage('play', model)
    }),
  )

  routes.post(
    '/my-content/:id/play',
    { body: formBody({ file: 'word', client_time: 'word' }) },
    forBuyers(async (request, reply, member) => {
      const { file, client_time: clientTime } = formOf(request, 'file', 'client_time')
      const playing = await readPlaying(request, reply, member, file)
      const chosen = choosePlayed(playing)
      if (chosen === undefined) throw shopPageNotFound()
      const { device, grant, way } = playing
      const userAgent = request.headers['user-agent'] ?? ''
      const fileId = chosen.version.file.id
      const ref = String(grant.entitlement.id)
      const asked = { fileId, device, userAgent, clientTime }
      const { used, source } = await app.change((tx) =>
        beginPlaying(tx, signatures, member.session, { ref, way, place: `${playing.base}/my-content/${ref}` }, asked, {
          now: now(request.visit.shop.company_id),
          machineNow: clock.now(),
        }),
      )
      const status = source === undefined ? REFUSED : 200
      const after = { ...playing, grant: { ...grant, entitlement: used?.entitlement ?? grant.entitlement }, fileId }
      const model = playerModel(after, source, used?.code, now(request.visit.shop.company_id))
      if (model === undefined) throw shopPageNotFound()
      if (!wantsJson(request)) return reply.shopPage('play', model, { status })
      const { ends_at: until } = model.item
      return reply.code(status).headers(NO_STORE).send({ source, seconds: chosen.seconds, until })
    }),
  )

  const place = {
    body: formBody({
      file: 'word',
      seconds: 'word',
      duration: 'word',
      client_time: 'word',
      place: 'line',
      fraction: 'word',
      playback: 'word',
    }),
  }

  async function remember(request: FastifyRequest, { session }: Member): Promise<void> {
    const { file, ...told } = formOf(request, 'file', 'seconds', 'duration', 'place', 'fraction')
    const fileId = fileIn(file)
    if (fileId === undefined) return
    const grant = await getPlayed(db, session, pathPart(request, 'id'))
    const position = { file_id: fileId, ...readPlace(told) }
    await app.change((tx) => rememberPlace(tx, session, grant, position, now(request.visit.shop.company_id)))
  }

  routes.post(
    '/my-content/:id/progress',
    place,
    forBuyers(async (request, reply, member) => {
      await remember(request, member)
      return reply.code(NO_CONTENT).send()
    }),
  )

  routes.post(
    '/my-content/:id/heartbeat',
    place,
    forBuyers(async (request, reply, member) => {
      await remember(request, member)
      const device = deviceOf(request, reply)
      const { client_time: clientTime } = formOf(request, 'client_time')
      const ref = pathPart(request, 'id')
      const { playback } = formOf(request, 'playback')
      const used = await app.change((tx) =>
        playback === ''
          ? keepPlaying(tx, member.session, ref, { device, clientTime }, now(request.visit.shop.company_id))
          : keepStreaming(tx, member.session, ref, { playback, clientTime }, now(request.visit.shop.company_id)),
      )
      return reply.code(used?.code === 'allowed' ? NO_CONTENT : REFUSED).send()
    }),
  )

  routes.post(
    '/my-content/:id/leave',
    place,
    forBuyers(async (request, reply, member) => {
      await remember(request, member)
      const left = { device: deviceOf(request, reply), playback: formOf(request, 'playback').playback }
      await app.change((tx) =>
        stopPlaying(tx, member.session, pathPart(request, 'id'), left, now(request.visit.shop.company_id)),
      )
      return reply.code(NO_CONTENT).send()
    }),
  )

  routes.get(
    '/my-content/:id/subtitles/:file',
    {},
    forBuyers(async (request, reply, { session }) => {
      const grant = await getPlayed(db, session, pathPart(request, 'id'))
      const text = await readSubtitles(
        files,
        grant,
        fileIn(pathPart(request, 'file')),
        now(request.visit.shop.company_id),
      )
      return reply
        .headers({ 'content-type': 'text/vtt; charset=utf-8', 'cache-control': 'private, no-store' })
        .header('x-content-type-options', 'nosniff')
        .send(text)
    }),
  )

  done()
}
