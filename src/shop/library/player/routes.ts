import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { forBuyers, type Member, pathPart } from '#shop/sign-in/sessions/site.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { backOf, wantsJson } from '../pages-around.site.ts'
import { keepPlaying, rememberPlace, startPlaying, stopPlaying } from './commands.ts'
import { deviceOf } from './device.site.ts'
import { createPlayerSignatures, findOwnedPart, getPlayed, readOwnPositions, readSubtitles } from './owned.queries.ts'
import { choosePlayed, type Playing, playerModel } from './page.present.ts'
import { readPlace } from './rules.ts'
import { sourceOf } from './sources.present.ts'

type Options = Pick<ResourceOptions, 'db' | 'now' | 'vault' | 'files'>

const REFUSED = 403
const NO_CONTENT = 204
const NO_STORE = { 'cache-control': 'no-store' }

const fileIn = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

/** The pages on which customers watch and listen. */
export const playerRoutes: FastifyPluginCallback<Options> = (app, { db, now, vault, files }, done) => {
  requireEncryption(app)
  const routes = shopRoutes(app)
  const signatures = createPlayerSignatures(vault)

  async function readPlaying(
    request: FastifyRequest,
    reply: FastifyReply,
    { session }: Member,
    file: string,
  ): Promise<Playing> {
    const grant = await getPlayed(db, session, pathPart(request, 'id'))
    const [positions, part] = await Promise.all([
      readOwnPositions(db, session, grant),
      findOwnedPart(db, session, grant, request.visit),
    ])
    const { base, language, country } = request.visit
    const device = deviceOf(request, reply)
    return { grant, part, positions, fileId: fileIn(file), device, base, language, country, back: backOf(request) }
  }

  routes.get(
    '/my-content/:id/play',
    {},
    forBuyers(async (request, reply, member) => {
      const playing = await readPlaying(request, reply, member, queryText(request, 'file'))
      const model = playerModel(playing, undefined, undefined, now())
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
      const { device, grant } = playing
      const userAgent = request.headers['user-agent'] ?? ''
      const asked = { fileId: chosen.version.file.id, device, userAgent, clientTime }
      const ref = String(grant.entitlement.id)
      const { used, download } = await app.change((tx) =>
        startPlaying(tx, signatures, member.session, ref, asked, now()),
      )
      const source = download === null ? undefined : sourceOf(download)
      const status = source === undefined ? REFUSED : 200
      const after = { ...playing, grant: { ...grant, entitlement: used.entitlement }, fileId: asked.fileId }
      const model = playerModel(after, source, used.code, now())
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
    }),
  }

  async function remember(request: FastifyRequest, { session }: Member): Promise<void> {
    const { file, ...told } = formOf(request, 'file', 'seconds', 'duration', 'place', 'fraction')
    const fileId = fileIn(file)
    if (fileId === undefined) return
    const grant = await getPlayed(db, session, pathPart(request, 'id'))
    const position = { file_id: fileId, ...readPlace(told) }
    await app.change((tx) => rememberPlace(tx, session, grant, position, now()))
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
      const { code } = await app.change((tx) =>
        keepPlaying(tx, member.session, pathPart(request, 'id'), { device, clientTime }, now()),
      )
      return reply.code(code === 'allowed' ? NO_CONTENT : REFUSED).send()
    }),
  )

  routes.post(
    '/my-content/:id/leave',
    place,
    forBuyers(async (request, reply, member) => {
      await remember(request, member)
      const device = deviceOf(request, reply)
      await app.change((tx) => stopPlaying(tx, member.session, pathPart(request, 'id'), device, now()))
      return reply.code(NO_CONTENT).send()
    }),
  )

  routes.get(
    '/my-content/:id/subtitles/:file',
    {},
    forBuyers(async (request, reply, { session }) => {
      const grant = await getPlayed(db, session, pathPart(request, 'id'))
      const text = await readSubtitles(files, grant, fileIn(pathPart(request, 'file')), now())
      return reply
        .headers({ 'content-type': 'text/vtt; charset=utf-8', 'cache-control': 'private, no-store' })
        .header('x-content-type-options', 'nosniff')
        .send(text)
    }),
  )

  done()
}
