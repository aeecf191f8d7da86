import type { FastifyRequest } from 'fastify'
import type { Origin } from '../origin.ts'

export function originOf(request: FastifyRequest): Origin {
  return { address: request.ip, requestId: request.id }
}
