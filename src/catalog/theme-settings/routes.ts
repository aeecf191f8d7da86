import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Fields, Paging, sendList } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { ownHost } from '#platform/wire/own-address.ts'
import { Count, Empty, named, PathPart } from '#platform/wire/schema.ts'
import { createThemeSetting, deleteThemeSetting, updateThemeSetting } from './commands.ts'
import { countThemeSettings, getThemeSettingDocument, listThemeSettings, lockThemeSetting } from './queries.ts'
import { ThemeSetting, ThemeSettingInput } from './schema.ts'

const KEY = 'ThemeSetting'
const OTHER_KEYS = ['theme_setting', 'themesetting']

const reading = { access: { scope: 'themes' } } as const
const changing = { access: { scope: 'themes', permissions: ['request_products'] } } as const
const tags = ['Theme settings']
const Ref = Type.Object({ id: PathPart('Id of the theme setting.') })
const CountQuery = Type.Object({ since_id: Paging.properties.since_id })
const Body = Type.Object(
  { ThemeSetting: ThemeSettingInput },
  { description: 'Read-only fields are ignored. The wrapper may be called `theme_setting` or `themesetting` too.' },
)
const One = Type.Object({ ThemeSetting: named(ThemeSetting) })

/** Renames another spelling of the wrapper in a body to the one of the API. */
function readWrapper(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const { body } = request
  const fields = new Map<string, unknown>(typeof body === 'object' && body !== null ? Object.entries(body) : [])
  const key = OTHER_KEYS.find((name) => fields.has(name))
  if (key !== undefined && !fields.has(KEY)) request.body = { [KEY]: fields.get(key) }
  done()
}
const themeSetting = single(
  KEY,
  async (db, { caller, params }: Asked<{ id: string }>) => getThemeSettingDocument(db, caller.companyId, params.id),
  (tx, { caller, params }) => lockThemeSetting(tx, caller.companyId, params.id),
)

export const themeSettingRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/themesettings.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listThemeSettings',
        summary: 'List theme settings',
        querystring: Paging,
        response: { 200: Type.Object({ ThemeSettings: Type.Array(named(ThemeSetting)) }) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, 'ThemeSettings', listThemeSettings(db, request.caller.companyId)),
  )

  app.get(
    '/themesettings/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countThemeSettings',
        summary: 'Count theme settings',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countThemeSettings(db, caller.companyId, query.since_id) }),
  )

  app.get(
    '/themesettings/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getThemeSetting',
        summary: 'Read a theme setting',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, themeSetting, db),
  )

  app.post(
    '/themesettings.json',
    {
      config: changing,
      preValidation: readWrapper,
      schema: {
        tags,
        operationId: 'createThemeSetting',
        summary: 'Create a theme setting',
        description: 'Every company has one from the start; each further one is a shop of its own.',
        body: Body,
        response: { 201: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), themeSetting, (tx) =>
        createThemeSetting(
          tx,
          request.caller,
          request.body.ThemeSetting,
          ownHost(app.baseUrl),
          now(request.caller.companyId),
        ),
      ),
  )

  app.put(
    '/themesettings/:id.json',
    {
      config: changing,
      preValidation: readWrapper,
      schema: {
        tags,
        operationId: 'updateThemeSetting',
        summary: 'Change a theme setting',
        description: 'What the body does not name stays as it is.',
        params: Ref,
        body: Body,
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, themeSetting, (tx) =>
        updateThemeSetting(
          tx,
          request.caller,
          request.params.id,
          request.body.ThemeSetting,
          ownHost(app.baseUrl),
          now(request.caller.companyId),
        ),
      ),
  )

  app.delete(
    '/themesettings/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deleteThemeSetting',
        summary: 'Delete a theme setting',
        description: 'Its shop can no longer be visited, and its domains are free again.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, themeSetting, (tx) =>
        deleteThemeSetting(tx, request.caller, request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
