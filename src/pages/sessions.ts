import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tokenHash } from '#platform/crypto.ts'
import type { Session } from '#platform/session.ts'
import { clearCookie, readCookie, writeCookie } from './cookies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who has signed in; only routes with `session` in their config may count on it. */
    session: Session
    /** Whoever has signed in so far, be it with half of what is needed. */
    visitor: Session | undefined
  }
  interface FastifyReply {
    keepSession(token: string): FastifyReply
    dropSession(): FastifyReply
    /** Sends whoever asks to sign in, and then back to what was asked for: a form posts to its page's address. */
    toSignIn(): FastifyReply
    /** Gives a browser what it signed in with, and sends it on. */
    welcome(entry: { token: string; browser: string }, to: string): FastifyReply
  }
}

export type SessionOptions = {
  findSession: (tokenHash: Buffer) => Promise<Session | undefined>
  /** The page on which people sign in; it gets the address to return to as `return_to`. */
  signInPath: string
}

const SESSION_COOKIE = 'licet_session'
const BROWSER_COOKIE = 'licet_browser'
/** Longer than a session lasts: its end is for the service to tell. */
const SESSION_COOKIE_SECONDS = 30 * 86_400
const BROWSER_COOKIE_SECONDS = 365 * 86_400

/** The token of a browser in which somebody has signed in before, if it carries one. */
export function browserToken(request: FastifyRequest): string | undefined {
  return readCookie(request, BROWSER_COOKIE)
}

/** Finds out who has signed in, and lets nobody else to the routes with `session` in their config. */
export function addSessions(app: FastifyInstance, { findSession, signInPath }: SessionOptions): void {
  app.decorateRequest('session')
  app.decorateRequest('visitor')
  app.decorateReply('keepSession', function keepSession(this: FastifyReply, token) {
    return writeCookie(this, SESSION_COOKIE, token, SESSION_COOKIE_SECONDS)
  })
  app.decorateReply('dropSession', function dropSession(this: FastifyReply) {
    return clearCookie(this, SESSION_COOKIE)
  })
  app.decorateReply('toSignIn', function toSignIn(this: FastifyReply) {
    return this.redirect(`${signInPath}?return_to=${encodeURIComponent(this.request.url)}`, 303)
  })
  app.decorateReply('welcome', function welcome(this: FastifyReply, { token, browser }, to) {
    writeCookie(this, BROWSER_COOKIE, browser, BROWSER_COOKIE_SECONDS)
    return this.keepSession(token).redirect(to, 303)
  })

  app.addHook('onRequest', async (request, reply) => {
    const token = readCookie(request, SESSION_COOKIE)
    if (token !== undefined) request.visitor = await findSession(tokenHash(token))
    if (request.routeOptions.config.session !== true) return
    if (request.visitor === undefined || request.visitor.secondFactorDue) return reply.toSignIn()
    request.session = request.visitor
  })
}
