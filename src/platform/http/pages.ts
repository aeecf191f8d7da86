import cookie from '@fastify/cookie'
import csrf from '@fastify/csrf-protection'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomToken, tokenHash } from '../crypto.ts'
import type { Html } from '../pages/layout.ts'
import { css, stylePath } from '../pages/style.ts'
import { forbidden, Problem } from '../problem.ts'
import type { Session } from '../session.ts'
import type { Vault } from '../vault.ts'
import { asProblem, logged } from './errors.ts'
import { readForms } from './forms.ts'
import { type PageAnswer, sendPage, sendProblemPage } from './page-answers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who has signed in; only routes with `session` in their config may count on it. */
    session: Session
    /** Whoever has signed in so far, be it with half of what is needed. */
    visitor: Session | undefined
  }
  interface FastifyContextConfig {
    /** Only for those who have signed in; everybody else is sent to do so, and then back: a form posts to its page's address. */
    session?: true
  }
  interface FastifyReply {
    page(html: Html, options?: PageAnswer): FastifyReply
    /** The proof that a form on this page carries. */
    proof(): string
    keepSession(token: string): FastifyReply
    dropSession(): FastifyReply
    /** Sends whoever asks to sign in, and then back to what was asked for. */
    toSignIn(): FastifyReply
    /** Gives a browser what it signed in with, and sends it on. */
    welcome(entry: { token: string; browser: string }, to: string): FastifyReply
  }
}

export type PageOptions = {
  findSession: (tokenHash: Buffer) => Promise<Session | undefined>
  vault: Vault
}

const FORM_COOKIE = 'licet_form'
const SESSION_COOKIE = 'licet_session'
const BROWSER_COOKIE = 'licet_browser'
/** Longer than a session lasts: its end is for the service to tell. */
const SESSION_COOKIE_SECONDS = 30 * 86_400
const BROWSER_COOKIE_SECONDS = 365 * 86_400

/** What browsers take for a safe place without TLS. */
const LOCAL = /^(localhost|[\w-]+\.localhost|127(\.\d+){3}|\[::1\])$/i

function isEncrypted(request: FastifyRequest): boolean {
  return request.protocol === 'https' || request.server.baseUrl.startsWith('https:')
}

/** The prefix keeps shops on neighbouring host names from planting a session of their own. */
function cookieName(request: FastifyRequest, name: string): string {
  return isEncrypted(request) ? `__Host-${name}` : name
}

function cookieOptions(request: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isEncrypted(request) } as const
}

/** The token of a browser in which somebody has signed in before, if it carries one. */
export function browserToken(request: FastifyRequest): string | undefined {
  return request.cookies[cookieName(request, BROWSER_COOKIE)]
}

/** What pages for people stand on: cookies, forms with a proof, sessions, and failures that are pages too. */
export async function addPages(app: FastifyInstance, { findSession, vault }: PageOptions): Promise<void> {
  app.removeAllContentTypeParsers()
  readForms(app)
  await app.register(cookie)
  await app.register(csrf, {
    cookieKey: FORM_COOKIE,
    getUserInfo: (request) => request.visitor?.key ?? 'nobody',
    getToken: (request) => (request.body as { _csrf?: string } | undefined)?._csrf ?? '',
    csrfOpts: { userInfo: true, hmacKey: vault.key('forms').toString('base64url') },
  })
  app.decorateRequest('session')
  app.decorateRequest('visitor')
  decorateReplies(app)
  app.setErrorHandler(answerWithPage)
  // On other hosts than the service's own they would be somebody else's pages that ask for passwords.
  app.addHook('onRoute', (route) => {
    if (route.url !== stylePath) route.constraints = { ...route.constraints, site: 'own' }
  })

  app.addHook('onRequest', async (request, reply) => {
    // The stylesheet is nobody's secret, and the page that says so needs it too.
    if (request.routeOptions.url === stylePath) return
    if (!isEncrypted(request) && !LOCAL.test(request.hostname)) throw ONLY_ENCRYPTED
    request.cookies[FORM_COOKIE] = request.cookies[cookieName(request, FORM_COOKIE)]
    const token = request.cookies[cookieName(request, SESSION_COOKIE)]
    if (token !== undefined) request.visitor = await findSession(tokenHash(token))
    if (request.routeOptions.config.session !== true) return
    if (request.visitor === undefined || request.visitor.secondFactorDue) return reply.toSignIn()
    request.session = request.visitor
  })
  app.addHook('preValidation', (request, reply, done) => {
    if (request.method === 'POST') app.csrfProtection(request, reply, done)
    else done()
  })

  app.get(stylePath, { config: { public: true }, schema: { hide: true } }, (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' })
      .send(css),
  )
}

/** A browser that has seen the page over https comes back that way. */
function onlyEncrypted(reply: FastifyReply): FastifyReply {
  return isEncrypted(reply.request) ? reply.header('strict-transport-security', 'max-age=31536000') : reply
}

function decorateReplies(app: FastifyInstance): void {
  app.decorateReply('page', function page(this: FastifyReply, html, options) {
    return sendPage(onlyEncrypted(this), html, options)
  })
  app.decorateReply('proof', function proof(this: FastifyReply) {
    const { cookies, visitor } = this.request
    if (!cookies[FORM_COOKIE]) {
      cookies[FORM_COOKIE] = randomToken(18)
      this.setCookie(cookieName(this.request, FORM_COOKIE), cookies[FORM_COOKIE], cookieOptions(this.request))
    }
    return this.generateCsrf({ userInfo: visitor?.key ?? 'nobody' })
  })
  app.decorateReply('keepSession', function keep(this: FastifyReply, token) {
    const name = cookieName(this.request, SESSION_COOKIE)
    return this.setCookie(name, token, { ...cookieOptions(this.request), maxAge: SESSION_COOKIE_SECONDS })
  })
  app.decorateReply('dropSession', function drop(this: FastifyReply) {
    return this.clearCookie(cookieName(this.request, SESSION_COOKIE), cookieOptions(this.request))
  })
  app.decorateReply('toSignIn', function toSignIn(this: FastifyReply) {
    return this.redirect(`/sign-in?return_to=${encodeURIComponent(this.request.url)}`, 303)
  })
  app.decorateReply('welcome', function welcome(this: FastifyReply, { token, browser }, to) {
    const name = cookieName(this.request, BROWSER_COOKIE)
    this.setCookie(name, browser, { ...cookieOptions(this.request), maxAge: BROWSER_COOKIE_SECONDS })
    return this.keepSession(token).redirect(to, 303)
  })
}

const ONLY_ENCRYPTED = forbidden(
  'This page takes passwords, so it opens over https only. If it is behind a proxy that does that, set LICET_BASE_URL to the https address.',
)

const NO_FORM = new Problem('unsupported_media_type', 415, 'A form is sent as application/x-www-form-urlencoded.')

const TOO_OLD = forbidden(
  'This page was open for too long, or cookies are turned off: go back, reload it and try again.',
)

function problemOf(error: FastifyError): Problem | undefined {
  if (error.code?.startsWith('FST_CSRF_')) return TOO_OLD
  return error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? NO_FORM : asProblem(error)
}

function answerWithPage(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendProblemPage(request, onlyEncrypted(reply), logged(error, request, problemOf(error)))
}
