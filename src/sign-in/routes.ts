import type { FastifyPluginCallback } from 'fastify'
import { formOf } from '#platform/http/forms.ts'
import { originOf } from '#platform/http/origin.ts'
import { browserToken } from '#platform/http/pages.ts'
import type { PageResourceOptions } from '#platform/http/resource.ts'
import { enter, enterWithCode, refuse, signOut } from './commands.ts'
import { accountLimit, addressLimit, takeAttempt } from './limits/commands.ts'
import { ACCOUNT } from './limits/rules.ts'
import { findByPassword, knownBrowser } from './queries.ts'
import { inWords, returnPath } from './rules.ts'
import { secondFactorPage, signInPage } from './views.ts'

const open = { config: { public: true }, schema: { hide: true } } as const
const own = { config: { session: true }, schema: { hide: true } } as const
const REFUSED = 422
const WAIT = 429

/** Said of an account that does not exist, of a wrong password and of a disabled user alike. */
const WRONG = 'The e-mail address or the password is wrong.'
const WRONG_CODE = 'This code is wrong or was used already: wait for the next one.'

/** The notices that another page may leave for this one, by the word in the address. */
const TOLD: Record<string, string> = {
  reset: 'Your new password is set: sign in with it.',
  out: 'You are signed out.',
  everywhere: 'You are signed out everywhere.',
}

export const signInRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, now, vault }, done) => {
  app.get('/sign-in', open, async (request, reply) => {
    const { return_to = '', told = '' } = request.query as { return_to?: string; told?: string }
    const returnTo = returnPath(return_to)
    if (request.visitor !== undefined && !request.visitor.secondFactorDue) return reply.redirect(returnTo, 303)
    return reply.page(signInPage({ csrf: reply.proof(), email: '', returnTo, told: TOLD[told] }))
  })

  app.post('/sign-in', open, async (request, reply) => {
    const { email, password, return_to } = formOf(request, 'email', 'password', 'return_to')
    const returnTo = returnPath(return_to)
    const again = (status: number, alarm: string) =>
      reply.page(signInPage({ csrf: reply.proof(), email, returnTo, alarm }), { status })
    if (email.trim() === '' || password === '') return again(REFUSED, 'Type your e-mail address and your password.')

    const known = await knownBrowser(db, browserToken(request), email)
    const limits = [accountLimit(email, known), addressLimit(request.ip)]
    const seconds = await app.change((tx) => takeAttempt(tx, limits, now()))
    if (seconds > 0) {
      reply.header('retry-after', seconds)
      return again(WAIT, `There were too many attempts. Try again in ${inWords(seconds)}, or reset your password.`)
    }
    const user = await findByPassword(db, email, password)
    if (user === undefined) {
      await app.change((tx) => refuse(tx, email, originOf(request), now()))
      return again(REFUSED, WRONG)
    }
    const visit = { userAgent: request.headers['user-agent'] ?? '', limits, knownBrowser: known }
    const entry = await app.change((tx) => enter(tx, user, visit, originOf(request), now()))
    if (entry.kind === 'signed in') return reply.welcome(entry, returnTo)
    return reply
      .keepSession(entry.token)
      .redirect(`/sign-in/second-factor?return_to=${encodeURIComponent(returnTo)}`, 303)
  })

  app.get('/sign-in/second-factor', open, async (request, reply) => {
    const returnTo = returnPath((request.query as { return_to?: string }).return_to ?? '')
    if (request.visitor?.secondFactorDue !== true) return reply.redirect('/sign-in', 303)
    return reply.page(secondFactorPage({ csrf: reply.proof(), returnTo }))
  })

  app.post('/sign-in/second-factor', open, async (request, reply) => {
    const { code, return_to } = formOf(request, 'code', 'return_to')
    const returnTo = returnPath(return_to)
    const half = request.visitor
    if (half?.secondFactorDue !== true) return reply.redirect('/sign-in', 303)
    const again = (status: number, alarm: string) =>
      reply.page(secondFactorPage({ csrf: reply.proof(), returnTo, alarm }), { status })

    const limits = [{ key: `second factor ${half.userId}`, policy: ACCOUNT }, addressLimit(request.ip)]
    const seconds = await app.change((tx) => takeAttempt(tx, limits, now()))
    if (seconds > 0) {
      reply.header('retry-after', seconds)
      return again(WAIT, `There were too many attempts. Try again in ${inWords(seconds)}.`)
    }
    const visit = { userAgent: request.headers['user-agent'] ?? '', limits, knownBrowser: undefined }
    const entry = await app.change((tx) => enterWithCode(tx, half, code, visit, vault, originOf(request), now()))
    return entry === undefined ? again(REFUSED, WRONG_CODE) : reply.welcome(entry, returnTo)
  })

  // Whoever comes back here after signing in again has nothing to sign out of.
  app.get('/sign-out', open, async (_request, reply) => reply.redirect('/account', 303))

  app.post('/sign-out', own, async (request, reply) => {
    await app.change((tx) => signOut(tx, request.session, originOf(request), now()))
    return reply.dropSession().redirect('/sign-in?told=out', 303)
  })

  done()
}
