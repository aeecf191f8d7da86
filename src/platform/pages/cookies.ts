import type { FastifyReply, FastifyRequest } from 'fastify'
import { isEncrypted } from './encryption.ts'

/** The prefix keeps other subdomains from setting this cookie. */
function nameFor(request: FastifyRequest, name: string): string {
  return isEncrypted(request) ? `__Host-${name}` : name
}

function optionsFor(request: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isEncrypted(request) } as const
}

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  return request.cookies[nameFor(request, name)]
}

/** Without a number of seconds the browser keeps the cookie until it is closed. */
export function writeCookie(reply: FastifyReply, name: string, value: string, maxAge?: number): FastifyReply {
  const options = optionsFor(reply.request)
  return reply.setCookie(nameFor(reply.request, name), value, maxAge === undefined ? options : { ...options, maxAge })
}

export function clearCookie(reply: FastifyReply, name: string): FastifyReply {
  return reply.clearCookie(nameFor(reply.request, name), optionsFor(reply.request))
}
