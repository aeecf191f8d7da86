import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { ownHost } from '#platform/wire/own-address.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { wireTime } from '#platform/wire/times.ts'
import { ThemeSettingInput } from '../schema.ts'
import { createThemePreview } from './commands.ts'
import { ThemePreview } from './schema.ts'

export const themePreviewRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { now }, done) => {
  app.post(
    '/themesettings/:id/previews.json',
    {
      config: { access: { scope: 'themes', permissions: ['request_products'] } },
      schema: {
        tags: ['Theme settings'],
        operationId: 'createThemePreview',
        summary: 'Preview changes of a theme setting',
        description:
          'Shows the shop with the changes for an hour, and saves none of them. Nothing can be bought or sent in a preview.',
        params: Type.Object({ id: PathPart('Id of the theme setting.') }),
        body: Type.Object({ ThemeSetting: ThemeSettingInput }),
        response: { 201: Type.Object({ preview: named(ThemePreview) }) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const { id, token, expires_at } = await app.change((tx) =>
        createThemePreview(tx, caller, params.id, body.ThemeSetting, ownHost(app.baseUrl), now(caller.companyId)),
      )
      const url = `${app.baseUrl}/shop/${id}~${token}/`
      return reply.code(201).send({ preview: { url, expires_at: wireTime(expires_at) } })
    },
  )

  done()
}
