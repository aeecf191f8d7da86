import type { FastifyPluginCallback } from 'fastify'
import { addressLimit, attempt, mailLimit } from '#identity/attempts/guard.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import { hashPassword } from '#platform/identity/crypto.ts'
import { readerOf } from '#platform/pages/reader.ts'
import type { PageResourceOptions } from '#platform/pages/site.ts'
import { isOpenLink } from '../queries.ts'
import { emailMistakes, passwordMistakes, waitText } from '../rules.ts'
import { resetAskedPage, resetAskPage, resetPage, voidLinkPage } from '../views.ts'
import { askForReset, resetPassword } from './commands.ts'

const open = { config: { public: true }, schema: { hide: true } } as const
const askForm = { hide: true, body: formBody({ email: 'line' }) } as const
const passwordForm = {
  hide: true,
  body: formBody({ password: 'password', password_confirmation: 'password', end_apps: 'word' }),
} as const
const REFUSED = 422
const WAIT = 429
const GONE = 410

export const resetRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, clock }, done) => {
  app.get('/reset', open, async (request, reply) =>
    reply.page(resetAskPage(readerOf(request), { csrf: reply.csrfToken(), email: '' })),
  )

  app.post('/reset', { ...open, schema: askForm }, async (request, reply) => {
    const email = formOf(request, 'email').email.trim()
    const reader = readerOf(request)
    const again = (status: number, wrong: { alarm?: string; mistakes?: Record<string, string> }) =>
      reply.page(resetAskPage(reader, { csrf: reply.csrfToken(), email, ...wrong }), { status })
    const mistakes = emailMistakes(reader.t, { email })
    if (Object.keys(mistakes).length > 0) return again(REFUSED, { mistakes })
    const asked = { email, baseUrl: app.baseUrl, origin: originOf(request) }
    const check = await attempt({ db, change: app.change, clock }, [mailLimit(email), addressLimit(request.ip)], () =>
      app.change((tx) => askForReset(tx, asked, nowInSeconds(clock))),
    )
    if (check.kind === 'wait') {
      reply.header('retry-after', check.seconds)
      return again(WAIT, { alarm: waitText(reader.t, check.seconds) })
    }
    return reply.page(resetAskedPage(reader, email))
  })

  app.get<{ Params: { token: string } }>('/reset/:token', open, async (request, reply) => {
    const { token } = request.params
    return (await isOpenLink(db, 'reset', token, nowInSeconds(clock)))
      ? reply.page(resetPage(readerOf(request), { csrf: reply.csrfToken(), token, endsApps: false }))
      : reply.page(voidLinkPage(readerOf(request), 'reset'), { status: GONE })
  })

  app.post<{ Params: { token: string } }>(
    '/reset/:token',
    { ...open, schema: passwordForm },
    async (request, reply) => {
      const { token } = request.params
      const reader = readerOf(request)
      const form = formOf(request, 'password', 'password_confirmation', 'end_apps')
      const endsApps = form.end_apps !== ''
      const mistakes = passwordMistakes(reader.t, form)
      if (!(await isOpenLink(db, 'reset', token, nowInSeconds(clock))))
        return reply.page(voidLinkPage(reader, 'reset'), { status: GONE })
      if (Object.keys(mistakes).length > 0)
        return reply.page(resetPage(reader, { csrf: reply.csrfToken(), token, endsApps, mistakes }), {
          status: REFUSED,
        })
      const passwordHash = await hashPassword(form.password)
      const outcome = await app.change((tx) =>
        resetPassword(tx, { token, passwordHash, endsApps }, app.baseUrl, originOf(request), nowInSeconds(clock)),
      )
      if (outcome !== 'done') return reply.page(voidLinkPage(reader, 'reset'), { status: GONE })
      return reply.dropSession().redirect('/sign-in?told=reset', 303)
    },
  )

  done()
}
