import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { forBuyers, type Member, pathPart } from '#shop/sign-in/sessions/site.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { isBeingPrepared } from '../my-content/library.queries.ts'
import { showPreparing } from '../my-content/preparing.site.ts'
import { backOf, wantsJson } from '../pages-around.site.ts'
import { deviceOf } from '../player/device.site.ts'
import { findOwnedPart, getPlayed, readOwnPositions } from '../player/owned.queries.ts'
import { openBook } from './commands.ts'
import { readerModel } from './page.present.ts'
import { readerOrigin } from './rules.ts'
import { parentsOf } from './site.ts'
import { createReaderTokens } from './tokens.secrets.ts'

type Options = Pick<ResourceOptions, 'db' | 'now' | 'clock' | 'vault'>

const REFUSED = 403
const NO_STORE = { 'cache-control': 'no-store' }

/** The pages on which customers read. The book itself is in a frame of another origin. */
export const readerRoutes: FastifyPluginCallback<Options> = (app, { db, now, clock, vault }, done) => {
  requireEncryption(app)
  const routes = shopRoutes(app, { priority: 'high' })
  const tokens = createReaderTokens(vault)

  async function readBook(request: FastifyRequest, { session }: Member, file: string, device: string) {
    const grant = await getPlayed(db, session, pathPart(request, 'id'))
    const [positions, part] = await Promise.all([
      readOwnPositions(db, session, grant),
      findOwnedPart(db, session, grant, request.visit),
    ])
    const { base, language, country } = request.visit
    const fileId = /^\d{1,15}$/.test(file) ? Number(file) : undefined
    return { grant, part, positions, fileId, device, base, language, country, back: backOf(request) }
  }

  routes.get(
    '/my-content/:id/read',
    {},
    forBuyers(async (request, reply, member) => {
      const book = await readBook(request, member, queryText(request, 'file'), deviceOf(request, reply))
      const model = readerModel(book, undefined, now(request.visit.shop.company_id))
      if (model === undefined) throw shopPageNotFound()
      if (await isBeingPrepared(db, book.grant, String(model.file_id))) return showPreparing(reply, model)
      // The script of the page opens the book without another press.
      return reply.shopPage('read', model, { frames: [readerOrigin(request.visit.shop.id, app.baseUrl)] })
    }),
  )

  routes.post(
    '/my-content/:id/read',
    { body: formBody({ file: 'word', client_time: 'word' }) },
    forBuyers(async (request, reply, member) => {
      const { file, client_time: clientTime } = formOf(request, 'file', 'client_time')
      const book = await readBook(request, member, file, deviceOf(request, reply))
      const chosen = readerModel(book, undefined, now(request.visit.shop.company_id))
      if (chosen === undefined) throw shopPageNotFound()
      const { id: shop } = request.visit.shop
      const userAgent = request.headers['user-agent'] ?? ''
      const asked = {
        shop,
        fileId: chosen.file_id,
        parent: parentsOf(request),
        device: book.device,
        userAgent,
        clientTime,
      }
      const opened = await openBook({ db, now, clock, change: app.change }, tokens, member.session, book.grant, asked)
      if (opened === undefined)
        return reply.toShop(`/my-content/${book.grant.entitlement.id}/read?file=${chosen.file_id}`)
      const origin = readerOrigin(shop, app.baseUrl)
      const frame = opened.token === undefined ? undefined : { origin, url: `${origin}/read/${opened.token}` }
      const grant = { ...book.grant, entitlement: opened.used.entitlement }
      const model = readerModel(
        { ...book, grant },
        { code: opened.used.code, frame },
        now(request.visit.shop.company_id),
      )
      if (model === undefined) throw shopPageNotFound()
      const status = frame === undefined ? REFUSED : 200
      if (wantsJson(request)) return reply.code(status).headers(NO_STORE).send({ frame })
      return reply.shopPage('read', model, frame === undefined ? { status } : { status, frames: [origin] })
    }),
  )

  done()
}
