import type { FastifyReply, FastifyRequest } from 'fastify'
import { isOwnHost } from '../own-address.ts'
import { errorPage, type Html } from '../pages/layout.ts'
import type { Problem } from '../problem.ts'

export type PageAnswer = {
  status?: number
  /** Where else a form on the page leads to. */
  formAction?: string
  /** Nothing is kept unless a page says for how long it may be. */
  caching?: string
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Under which nothing runs, nothing is loaded from elsewhere, and no other page can frame this one. */
function policy(formAction: string): string {
  return `default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'${formAction === '' ? '' : ` ${formAction}`}; frame-ancestors 'none'; base-uri 'none'`
}

export function sendPage(
  reply: FastifyReply,
  page: Html,
  { status = 200, formAction = '', caching = 'no-store' }: PageAnswer = {},
): FastifyReply {
  return reply
    .code(status)
    .headers(HEADERS)
    .header('cache-control', caching)
    .header('content-security-policy', policy(formAction))
    .send(page)
}

const TITLES: Record<number, string> = {
  400: 'That did not work',
  403: 'That is not possible',
  404: 'There is nothing here',
  409: 'That is not possible',
  429: 'Too many attempts',
  503: 'Not available right now',
}

/** A failure as a page; on hosts that are not the service's own it leads nowhere. */
export function sendProblemPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, message, headers }: Problem,
): FastifyReply {
  const title = TITLES[status] ?? 'Something went wrong'
  const isOwn = isOwnHost(request.host, request.server.baseUrl ?? '')
  return sendPage(reply.headers(headers), errorPage({ title, message, requestId: request.id, isOwn }), { status })
}

/** Below these, programs talk to programs. */
const FOR_PROGRAMS = /^\/(api|admin|token|oauth2)(?![\w-])/

export function isForPrograms({ url }: FastifyRequest): boolean {
  return FOR_PROGRAMS.test(url)
}

/** Is it a browser that asks, for something that a person is to see? */
export function wantsPage(request: FastifyRequest): boolean {
  return !isForPrograms(request) && (request.headers.accept ?? '').toLowerCase().includes('text/html')
}
