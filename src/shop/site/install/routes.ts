import type { FastifyPluginCallback } from 'fastify'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { hostName } from '#platform/wire/own-address.ts'
import type { Themes } from '#shop/themes/themes.theme.ts'
import { SHORTLY } from '../answers/headers.site.ts'
import { shopPageNotFound } from '../errors.ts'
import { shopRoutes } from '../shop-routes.site.ts'
import { createShopIcons } from './icons.files.ts'
import { ICON_SIZES, iconSourceOf, manifestOf } from './manifest.views.ts'
import { createWorkerScript } from './worker-script.files.ts'

type Options = Pick<ResourceOptions, 'files'> & { themes: Themes }

const File = Type.Object({ file: Type.String({ maxLength: 20 }) })
/** The address stays the same when the owner chooses another icon. */
const AN_HOUR = 'public, max-age=3600'

/** Lets customers install My Content as an app, which says what to do while there is no connection. */
export const installRoutes: FastifyPluginCallback<Options> = (app, { themes, files }, done) => {
  const routes = shopRoutes(app)
  const findIcon = createShopIcons(files)
  const workerScript = createWorkerScript()

  routes.get('/manifest.webmanifest', {}, async ({ visit, host }, reply) =>
    reply
      .headers({ 'content-type': 'application/manifest+json; charset=utf-8', 'cache-control': SHORTLY })
      .header('vary', 'accept-language, cookie')
      .send(JSON.stringify(manifestOf(visit, hostName(host)))),
  )

  routes.get<{ Params: { file: string } }>('/icons/:file', { params: File }, async ({ visit, params, host }, reply) => {
    const size = ICON_SIZES.find((known) => params.file === `${known}.png`)
    if (size === undefined) throw shopPageNotFound()
    const bytes = await findIcon(iconSourceOf(visit, hostName(host)), size)
    return reply
      .headers({ 'content-type': 'image/png', 'cache-control': AN_HOUR, 'x-content-type-options': 'nosniff' })
      .header('vary', 'accept-language, cookie')
      .send(bytes)
  })

  // Programs ask for it that read no page, such as readers of links.
  routes.get('/favicon.ico', {}, async ({ visit, host }, reply) =>
    reply
      .headers({ 'content-type': 'image/png', 'cache-control': AN_HOUR, 'x-content-type-options': 'nosniff' })
      .header('vary', 'accept-language, cookie')
      .send(await findIcon(iconSourceOf(visit, hostName(host)), ICON_SIZES[0])),
  )

  routes.get('/no-connection', {}, async (_request, reply) =>
    reply.shopPage('no-connection', { page: { title_key: 'no_connection.title', is_private: true } }),
  )

  routes.get('/sw.js', {}, async ({ visit }, reply) => {
    const theme = await themes.find(visit.shop.theme_id)
    const version = [visit.language, visit.shop.accent_color.slice(1), visit.shop.icon?.id, theme.version()].join('-')
    return reply
      .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' })
      .headers({ 'content-security-policy': "default-src 'self'", 'x-content-type-options': 'nosniff' })
      .send(await workerScript(visit.base, version))
  })

  done()
}
