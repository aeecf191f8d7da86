import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { permissionMissing } from '../errors/errors.ts'
import { callerOf, missingPermission } from '../identity/caller.ts'
import { tokenHash } from '../identity/crypto.ts'
import type { Session } from '../identity/session.ts'
import { clearCookie, readCookie, writeCookie } from './cookies.ts'
import { secondFactorMissing } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the signed-in user; set only on routes with `session` in their config. */
    session: Session
    /** The session in this browser, also one that still waits for its second factor. */
    visitor: Session | undefined
  }
  interface FastifyReply {
    keepSession(token: string): FastifyReply
    dropSession(): FastifyReply
    /** Redirects to sign-in, and from there back to the requested page: a form posts to its page's address. */
    toSignIn(): FastifyReply
    /** Sets the session cookies in the browser, and redirects. */
    welcome(entry: { token: string; browser: string }, to: string): FastifyReply
  }
}

export type SessionOptions = {
  findSession: (tokenHash: Buffer) => Promise<Session | undefined>
  /** The page on which people sign in; it gets the address to return to as `return_to`. */
  signInPath: string
}

export const SESSION_COOKIE = 'licet_session'
const BROWSER_COOKIE = 'licet_browser'
/** The cookie outlives the session, because the service decides when a session ends. */
const SESSION_COOKIE_SECONDS = 30 * 86_400
const BROWSER_COOKIE_SECONDS = 365 * 86_400

/** The token of a browser in which a user has signed in before, if it carries one. */
export function browserToken(request: FastifyRequest): string | undefined {
  return readCookie(request, BROWSER_COOKIE)
}

/** Reads the session, and refuses routes with `session` in their config without one, or without their permissions. */
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
    const { access } = request.routeOptions.config
    if (request.visitor.secondFactorMissing && access !== undefined) throw secondFactorMissing()
    const missing = missingPermission(callerOf(request.visitor), access?.permissions ?? [])
    if (missing !== undefined) throw permissionMissing(missing)
    request.session = request.visitor
  })
}
