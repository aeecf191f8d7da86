import type { FastifyPluginCallback } from 'fastify'
import { nowInSeconds } from '#platform/clock.ts'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import { readerOf } from '#platform/pages/reader.ts'
import type { PageResourceOptions } from '#platform/pages/site.ts'
import { findOwnerName } from '../queries.ts'
import { allowable, formActionOf, withheld, withParameters } from '../rules.ts'
import { consentPage, nothingToAllowPage } from '../views.ts'
import { allowApp, denyApp } from './commands.ts'
import { findChoices, findPerson, readPrompt } from './queries.ts'
import { asksCustomer, promptError } from './rules.ts'

const open = { config: { public: true }, schema: { hide: true } } as const
const own = { config: { session: true, access: {} }, schema: { hide: true } } as const
const promptForm = { hide: true, body: formBody({ decision: 'word', company: 'word' }) } as const
const FORBIDDEN = 403

const queryOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')

export const promptRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, clock }, done) => {
  app.get('/oauth2/auth', open, async (request, reply) => {
    const query = queryOf(request.url)
    const { app: client, prompt } = await readPrompt(db, query, app.servedScopes())
    const error = promptError(prompt)
    if (error !== undefined)
      return reply.redirect(withParameters(prompt.redirectUri, { ...error, state: prompt.state }), 303)
    if (asksCustomer(prompt)) return reply.redirect(`/oauth2/player?${query}`, 303)
    const { visitor } = request
    if (visitor === undefined || visitor.secondFactorDue) return reply.toSignIn()
    if (visitor.secondFactorMissing) return reply.redirect('/admin', 303)

    const [companies, person, ownerName] = await Promise.all([
      findChoices(db, visitor),
      findPerson(db, visitor),
      findOwnerName(db, client),
    ])
    const scopes = allowable(prompt.scopes, client.scopes, person.mayManageUsers)
    const asking = {
      csrf: reply.csrfToken(),
      appName: client.name,
      email: person.email,
      withheld: withheld(prompt.scopes, client.scopes, person.mayManageUsers),
      query,
    }
    if (scopes.length === 0) return reply.page(nothingToAllowPage(readerOf(request), asking), { status: FORBIDDEN })
    const redirectHost = new URL(prompt.redirectUri).host || new URL(prompt.redirectUri).protocol
    const form = { ...asking, ownerName, companies, scopes, redirectHost }
    return reply.page(consentPage(readerOf(request), form), { formAction: formActionOf(prompt.redirectUri) })
  })

  app.post('/oauth2/auth', { ...own, schema: promptForm }, async (request, reply) => {
    const { app: client, prompt } = await readPrompt(db, queryOf(request.url), app.servedScopes())
    const error = promptError(prompt)
    const back = (parameters: Record<string, string>) =>
      reply.redirect(withParameters(prompt.redirectUri, { ...parameters, state: prompt.state }), 303)
    if (error !== undefined) return back(error)
    if (asksCustomer(prompt)) return reply.redirect(`/oauth2/player?${queryOf(request.url)}`, 303)
    const { session } = request
    const { decision, company } = formOf(request, 'decision', 'company')
    const origin = originOf(request)
    if (decision !== 'allow') {
      await app.change((tx) => denyApp(tx, { session, app: client, prompt }, origin, nowInSeconds(clock)))
      return back({ error: 'access_denied' })
    }
    const choice = { session, app: client, prompt, companyId: Number(company) }
    const code = await app.change((tx) => allowApp(tx, choice, origin, nowInSeconds(clock)))
    return back({ code, companyid: String(choice.companyId) })
  })

  done()
}
