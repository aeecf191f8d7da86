import type { FastifyRequest } from 'fastify'
import type { Author } from '../../identity/caller.ts'
import type { Origin } from '../../identity/origin.ts'

export function originOf(request: FastifyRequest): Origin {
  return { address: request.ip, requestId: request.id }
}

/** The caller of a request as the author of a change. */
export function authorOf(request: FastifyRequest): Author & { origin: Origin } {
  const { companyId, userId, appId } = request.caller
  return { companyId, userId, appId, origin: originOf(request) }
}
