import csrf from '@fastify/csrf-protection'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formOf } from '../http/requests/forms.ts'
import { randomToken } from '../identity/crypto.ts'
import type { Vault } from '../identity/vault.ts'
import { readCookie, writeCookie } from './cookies.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The CSRF token for the forms on this page. It works in this browser and session only. */
    csrfToken(): string
  }
}

const COOKIE = 'licet_form'

function userInfo({ visitor }: FastifyRequest): string {
  return visitor?.key ?? 'nobody'
}

/** Refuses every POST whose form does not carry the CSRF token of its page. Register sessions before this. */
export async function addCsrf(app: FastifyInstance, vault: Vault): Promise<void> {
  await app.register(csrf, {
    cookieKey: COOKIE,
    getUserInfo: userInfo,
    getToken: (request) => formOf(request, '_csrf')._csrf,
    csrfOpts: { userInfo: true, hmacKey: vault.key('forms').toString('base64url') },
  })
  app.decorateReply('csrfToken', function csrfToken(this: FastifyReply) {
    const { cookies } = this.request
    if (!cookies[COOKIE]) {
      cookies[COOKIE] = randomToken(18)
      writeCookie(this, COOKIE, cookies[COOKIE])
    }
    return this.generateCsrf({ userInfo: userInfo(this.request) })
  })
  // The plugin knows the cookie by its plain name, not by the prefixed name in the browser.
  app.addHook('onRequest', (request, _reply, done) => {
    request.cookies[COOKIE] = readCookie(request, COOKIE)
    done()
  })
  app.addHook('preValidation', (request, reply, done) => {
    if (request.method === 'POST') app.csrfProtection(request, reply, done)
    else done()
  })
}
