import type { FastifyInstance, FastifyRequest } from 'fastify'
import { httpsRequired } from './errors.ts'

/** Browsers treat these hosts as secure without TLS. */
const LOCAL = /^(localhost|[\w-]+\.localhost|127(\.\d+){3}|\[::1\])$/i

export function isEncrypted(request: FastifyRequest): boolean {
  return request.protocol === 'https' || request.server.baseUrl.startsWith('https:')
}

/** Refuses requests without TLS from other machines. */
export function requireEncryption(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isEncrypted(request) || LOCAL.test(request.hostname)) done()
    else done(httpsRequired())
  })
}
