import type { FastifyInstance, FastifyRequest } from 'fastify'
import { httpsRequired } from './errors.ts'

/** Browsers take these for a safe place without TLS. */
const LOCAL = /^(localhost|[\w-]+\.localhost|127(\.\d+){3}|\[::1\])$/i

export function isEncrypted(request: FastifyRequest): boolean {
  return request.protocol === 'https' || request.server.baseUrl.startsWith('https:')
}

/** Refuses what comes without TLS from another machine. */
export function requireEncryption(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isEncrypted(request) || LOCAL.test(request.hostname)) done()
    else done(httpsRequired())
  })
}
