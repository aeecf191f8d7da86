import type { FastifyPluginCallback } from 'fastify'
import { isOpenLink } from '#identity/sign-in/queries.ts'
import { HOME } from '#identity/sign-in/rules.ts'
import { demoPage, voidLinkPage } from '#identity/sign-in/views.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { formBody } from '#platform/http/requests/forms.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import { readerOf } from '#platform/pages/reader.ts'
import type { PageResourceOptions } from '#platform/pages/site.ts'
import { enterDemo } from './sign-in.commands.ts'

const open = { config: { public: true }, schema: { hide: true } } as const
const GONE = 410
/** Whoever sees the admin interface for the first time is led through it. */
const TOUR = `${HOME}/tour`

/** Enters the demo shop by a press. A link alone signs nobody in: mail programs and chats open links by themselves. */
export const demoSignInRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, clock }, done) => {
  app.get<{ Params: { token: string } }>('/demo/:token', open, async (request, reply) => {
    const { token } = request.params
    const reader = readerOf(request)
    return (await isOpenLink(db, 'demo', token, nowInSeconds(clock)))
      ? reply.page(demoPage(reader, { csrf: reply.csrfToken(), token }))
      : reply.page(voidLinkPage(reader, 'demo'), { status: GONE })
  })

  app.post<{ Params: { token: string } }>(
    '/demo/:token',
    { ...open, schema: { hide: true, body: formBody({}) } },
    async (request, reply) => {
      const userAgent = request.headers['user-agent'] ?? ''
      const entry = await app.change((tx) =>
        enterDemo(tx, request.params.token, userAgent, originOf(request), nowInSeconds(clock)),
      )
      return entry === undefined
        ? reply.page(voidLinkPage(readerOf(request), 'demo'), { status: GONE })
        : reply.welcome(entry, TOUR)
    },
  )

  done()
}
