import type { FastifyPluginCallback } from 'fastify'
import { attempt, secondFactorLimits, signInLimits } from '#identity/attempts/guard.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import { readerOf } from '#platform/pages/reader.ts'
import { browserToken } from '#platform/pages/sessions.ts'
import type { PageResourceOptions } from '#platform/pages/site.ts'
import type { PlainMessageKey } from '#platform/text/messages.ts'
import { enter, enterWithCode, refuse, signOut } from './commands.ts'
import { findByPassword, knownBrowser } from './queries.ts'
import { HOME, returnPath, waitText } from './rules.ts'
import { secondFactorPage, signInPage } from './views.ts'

const open = { config: { public: true }, schema: { hide: true } } as const
const own = { config: { session: true }, schema: { hide: true } } as const
const signInForm = { hide: true, body: formBody({ email: 'line', password: 'password', return_to: 'path' }) } as const
const codeForm = { hide: true, body: formBody({ code: 'line', return_to: 'path', kind: 'word' }) } as const
const signOutForm = { hide: true, body: formBody({ return_to: 'path' }) } as const
const REFUSED = 422
const WAIT = 429

/** The notices that another page may request on this one, by the word in the address. */
const TOLD = new Map<string, PlainMessageKey>([
  ['reset', 'account.sign_in.told.reset'],
  ['out', 'account.sign_in.told.out'],
  ['everywhere', 'account.sign_in.told.everywhere'],
  ['ended', 'account.sign_in.told.ended'],
])

export const signInRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, clock, vault }, done) => {
  const turnstile = { db, change: app.change, clock }

  app.get('/sign-in', open, async (request, reply) => {
    const returnTo = returnPath(queryText(request, 'return_to'))
    if (request.visitor !== undefined && !request.visitor.secondFactorDue) return reply.redirect(returnTo, 303)
    const reader = readerOf(request)
    const said = TOLD.get(queryText(request, 'told'))
    const told = said === undefined ? undefined : reader.t(said)
    return reply.page(signInPage(reader, { csrf: reply.csrfToken(), email: '', returnTo, told }))
  })

  app.post('/sign-in', { ...open, schema: signInForm }, async (request, reply) => {
    const { email: typed, password, return_to } = formOf(request, 'email', 'password', 'return_to')
    const email = typed.trim()
    const returnTo = returnPath(return_to)
    const reader = readerOf(request)
    const { t } = reader
    const again = (status: number, alarm: string) =>
      reply.page(signInPage(reader, { csrf: reply.csrfToken(), email, returnTo, alarm }), { status })
    // The same message for an unknown account, a wrong password and a disabled user.
    const wrong = () => again(REFUSED, t('account.sign_in.wrong'))
    if (email === '' || password === '') return again(REFUSED, t('account.sign_in.missing'))

    const known = await knownBrowser(db, browserToken(request), { email })
    const limits = signInLimits(email, request.ip, known)
    const check = await attempt(turnstile, limits, () => findByPassword(db, email, password))
    if (check.kind === 'wait') {
      reply.header('retry-after', check.seconds)
      return again(WAIT, `${waitText(t, check.seconds)} ${t('account.sign_in.or_reset')}`)
    }
    const user = check.result
    if (user === undefined) {
      await app.change((tx) => refuse(tx, email, originOf(request), nowInSeconds(clock)))
      return wrong()
    }
    const visit = { userAgent: request.headers['user-agent'] ?? '', limits, knownBrowser: known }
    const entry = await app.change((tx) => enter(tx, user, visit, originOf(request), nowInSeconds(clock)))
    if (entry.kind === 'refused') return wrong()
    if (entry.kind === 'signed in') return reply.welcome(entry, returnTo)
    return reply
      .keepSession(entry.token)
      .redirect(`/sign-in/second-factor?return_to=${encodeURIComponent(returnTo)}`, 303)
  })

  app.get('/sign-in/second-factor', open, async (request, reply) => {
    const returnTo = returnPath(queryText(request, 'return_to'))
    if (request.visitor?.secondFactorDue !== true) return reply.redirect('/sign-in', 303)
    return reply.page(secondFactorPage(readerOf(request), { csrf: reply.csrfToken(), returnTo }))
  })

  app.post('/sign-in/second-factor', { ...open, schema: codeForm }, async (request, reply) => {
    const { code, return_to, kind } = formOf(request, 'code', 'return_to', 'kind')
    const returnTo = returnPath(return_to)
    const half = request.visitor
    if (half?.secondFactorDue !== true) return reply.redirect('/sign-in', 303)
    const withRecoveryCode = kind === 'recovery'
    const reader = readerOf(request)
    const { t } = reader
    const again = (status: number, alarm: string) =>
      reply.page(secondFactorPage(reader, { csrf: reply.csrfToken(), returnTo, alarm, withRecoveryCode }), { status })

    const known = await knownBrowser(db, browserToken(request), half)
    const limits = secondFactorLimits(half.userId, request.ip, known)
    const visit = { userAgent: request.headers['user-agent'] ?? '', limits, knownBrowser: known }
    const check = await attempt(turnstile, limits, () =>
      app.change((tx) => enterWithCode(tx, half, code, visit, vault, originOf(request), nowInSeconds(clock))),
    )
    if (check.kind === 'wait') {
      reply.header('retry-after', check.seconds)
      return again(WAIT, waitText(t, check.seconds))
    }
    const entry = check.result
    if (entry.kind === 'signed out') return reply.redirect('/sign-in', 303)
    if (entry.kind === 'signed in') return reply.welcome(entry, returnTo)
    if (entry.isUnreadable)
      request.log.error(
        { user: half.userId },
        'the secret of a second factor was sealed with another key: only recovery codes open this account',
      )
    return again(
      REFUSED,
      t(withRecoveryCode ? 'account.second_step.wrong_recovery' : 'account.second_step.wrong_digits'),
    )
  })

  // A user who returns to this address after signing in again has nothing to sign out of.
  app.get('/sign-out', open, async (_request, reply) => reply.redirect(HOME, 303))

  app.post('/sign-out', { ...own, schema: signOutForm }, async (request, reply) => {
    await app.change((tx) => signOut(tx, request.session, originOf(request), nowInSeconds(clock)))
    const { return_to } = formOf(request, 'return_to')
    const after = return_to === '' ? '' : `&return_to=${encodeURIComponent(returnPath(return_to))}`
    return reply.dropSession().redirect(`/sign-in?told=out${after}`, 303)
  })

  done()
}
