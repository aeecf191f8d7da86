import type { FastifyPluginCallback } from 'fastify'
import { Type } from 'typebox'
import { accentCss } from '#shop/themes/accent-css.rules.ts'
import type { Themes } from '#shop/themes/themes.theme.ts'
import { shopPageNotFound } from './errors.ts'

const Params = Type.Object({ theme: Type.String({ maxLength: 100 }), file: Type.String({ maxLength: 100 }) })
const Query = Type.Object({ v: Type.Optional(Type.String({ maxLength: 100 })) })

const Accent = Type.Object({ file: Type.String({ pattern: '^[0-9a-f]{6}[.]css$' }) })
const COLOUR_LENGTH = 6

const FOR_EVER = 'public, max-age=31536000, immutable'
const A_DAY = 'public, max-age=86400'

/** Stylesheets, scripts, fonts and pictures of themes, on every host. */
export const themeAssetRoutes: FastifyPluginCallback<{ themes: Themes }> = (app, { themes }, done) => {
  app.get<{ Params: { theme: string; file: string }; Querystring: { v?: string } }>(
    '/assets/themes/:theme/:file',
    { config: { public: true, priority: 'high' }, schema: { hide: true, params: Params, querystring: Query } },
    async (request, reply) => {
      const { theme, file } = request.params
      const asset = await themes.findAsset(theme, file)
      if (asset === undefined) throw shopPageNotFound()
      // An address that names the content can be kept for ever, because another content has another address.
      const caching = request.query.v === asset.hash ? FOR_EVER : A_DAY
      return reply
        .headers({ 'content-type': asset.contentType, 'cache-control': caching, 'x-content-type-options': 'nosniff' })
        .send(asset.bytes)
    },
  )

  app.get<{ Params: { file: string } }>(
    '/assets/accents/:file',
    { config: { public: true, priority: 'high' }, schema: { hide: true, params: Accent } },
    async (request, reply) =>
      reply
        .headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': FOR_EVER })
        .send(accentCss(`#${request.params.file.slice(0, COLOUR_LENGTH)}`)),
  )

  done()
}
