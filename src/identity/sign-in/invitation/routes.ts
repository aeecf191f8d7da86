import type { FastifyPluginCallback } from 'fastify'
import { nowInSeconds } from '#platform/clock.ts'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import { hashPassword } from '#platform/identity/crypto.ts'
import { readerOf } from '#platform/pages/reader.ts'
import type { PageResourceOptions } from '#platform/pages/site.ts'
import { findInvitation } from '../queries.ts'
import { HOME, nameMistakes, passwordMistakes } from '../rules.ts'
import { addressInUsePage, invitationPage, voidLinkPage } from '../views.ts'
import { joinCompany } from './commands.ts'

const open = { config: { public: true }, schema: { hide: true } } as const
const invitationForm = {
  hide: true,
  body: formBody({ first_name: 'line', last_name: 'line', password: 'password', password_confirmation: 'password' }),
} as const
const REFUSED = 422
const CONFLICT = 409
const GONE = 410

export const invitationRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, clock }, done) => {
  app.get<{ Params: { token: string } }>('/invitation/:token', open, async (request, reply) => {
    const { token } = request.params
    const reader = readerOf(request)
    const invitation = await findInvitation(db, token, nowInSeconds(clock))
    if (invitation === undefined) return reply.page(voidLinkPage(reader, 'invitation'), { status: GONE })
    if (invitation.isAddressInUse) return reply.page(addressInUsePage(reader, invitation), { status: CONFLICT })
    return reply.page(invitationPage(reader, { csrf: reply.csrfToken(), token, ...invitation }))
  })

  app.post<{ Params: { token: string } }>(
    '/invitation/:token',
    { ...open, schema: invitationForm },
    async (request, reply) => {
      const { token } = request.params
      const reader = readerOf(request)
      const invitation = await findInvitation(db, token, nowInSeconds(clock))
      if (invitation === undefined) return reply.page(voidLinkPage(reader, 'invitation'), { status: GONE })
      const form = formOf(request, 'first_name', 'last_name', 'password', 'password_confirmation')
      const { first_name, last_name, password } = form
      const mistakes = { ...nameMistakes(reader.t, { first_name, last_name }), ...passwordMistakes(reader.t, form) }
      const names = { firstName: first_name.trim(), lastName: last_name.trim() }
      if (Object.keys(mistakes).length > 0) {
        const again = { csrf: reply.csrfToken(), token, ...invitation, ...names, mistakes }
        return reply.page(invitationPage(reader, again), { status: REFUSED })
      }
      const acceptance = { token, passwordHash: await hashPassword(password), ...names }
      const userAgent = request.headers['user-agent'] ?? ''
      const entry = await app.change((tx) =>
        joinCompany(tx, acceptance, userAgent, originOf(request), nowInSeconds(clock)),
      )
      if (entry === 'address in use') return reply.page(addressInUsePage(reader, invitation), { status: CONFLICT })
      if (entry === undefined) return reply.page(voidLinkPage(reader, 'invitation'), { status: GONE })
      return reply.welcome(entry, HOME)
    },
  )

  done()
}
