import type { FastifyPluginCallback } from 'fastify'
import { nowInSeconds } from '#platform/clock.ts'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import { hashPassword } from '#platform/identity/crypto.ts'
import { readerOf } from '#platform/pages/reader.ts'
import type { PageResourceOptions } from '#platform/pages/site.ts'
import { translatorOf } from '#platform/text/messages.ts'
import { isEmailTaken } from '../errors.ts'
import { findLink } from '../links/queries.ts'
import { asksForPassword, mistakesOf } from '../links/rules.ts'
import { assertMayTry, countVoidLink, followLink } from './commands.ts'
import { donePage, linkPage, takenPage, voidPage } from './views.ts'

const open = { config: { public: true }, schema: { hide: true } } as const
const passwordForm = {
  hide: true,
  body: formBody({ password: 'password', password_confirmation: 'password' }),
} as const
const REFUSED = 422
const TAKEN = 409
const GONE = 410

/** The pages on which customers make the changes that companies may not make for them. */
export const selfServiceRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, clock }, done) => {
  // Opening the page changes nothing, because mail scanners open links.
  app.get<{ Params: { token: string } }>('/customer/:token', open, async (request, reply) => {
    const { token } = request.params
    const link = await findLink(db, token, nowInSeconds(clock))
    if (link === undefined) return reply.page(voidPage(readerOf(request).t), { status: GONE })
    return reply.page(linkPage(translatorOf(link.language), { csrf: reply.csrfToken(), token, link }))
  })

  app.post<{ Params: { token: string } }>(
    '/customer/:token',
    { ...open, schema: passwordForm },
    async (request, reply) => {
      const { token } = request.params
      await assertMayTry(db, request.ip, nowInSeconds(clock))
      const link = await findLink(db, token, nowInSeconds(clock))
      if (link === undefined) {
        await app.change((tx) => countVoidLink(tx, request.ip, nowInSeconds(clock)))
        return reply.page(voidPage(readerOf(request).t), { status: GONE })
      }
      const form = formOf(request, 'password', 'password_confirmation')
      const t = translatorOf(link.language)
      const mistakes = mistakesOf(t, link, form)
      if (Object.keys(mistakes).length > 0)
        return reply.page(linkPage(t, { csrf: reply.csrfToken(), token, link, mistakes }), { status: REFUSED })
      const passwordHash = asksForPassword(link) ? await hashPassword(form.password) : undefined
      const outcome = await app
        .change((tx) => followLink(tx, token, passwordHash, app.baseUrl, nowInSeconds(clock)))
        .catch((error: unknown) => {
          // Another account took the address meanwhile.
          if (isEmailTaken(error)) return { kind: 'address taken', link } as const
          throw error
        })
      if (outcome.kind === 'void') return reply.page(voidPage(readerOf(request).t), { status: GONE })
      if (outcome.kind === 'address taken') return reply.page(takenPage(t, outcome.link), { status: TAKEN })
      return reply.page(donePage(t, outcome.link))
    },
  )

  done()
}
