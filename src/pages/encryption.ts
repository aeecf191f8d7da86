import type { FastifyInstance, FastifyRequest } from 'fastify'
import { forbidden } from '#platform/problem.ts'

/** Browsers take these for a safe place without TLS. */
const LOCAL = /^(localhost|[\w-]+\.localhost|127(\.\d+){3}|\[::1\])$/i

const ONLY_ENCRYPTED = forbidden(
  'This page takes passwords, so it opens over https only. If it is behind a proxy that does that, set LICET_BASE_URL to the https address.',
)

export function isEncrypted(request: FastifyRequest): boolean {
  return request.protocol === 'https' || request.server.baseUrl.startsWith('https:')
}

/** Refuses what comes without TLS from another machine. */
export function requireEncryption(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isEncrypted(request) || LOCAL.test(request.hostname)) done()
    else done(ONLY_ENCRYPTED)
  })
}
