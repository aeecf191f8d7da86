import type { FastifyReply } from 'fastify'
import { isEncrypted } from './encryption.ts'
import type { Html, Link } from './layout.ts'
import { type PagePolicy, policyHeaders } from './policy.ts'

/** Pages that belong together, with the rules that hold for all of them. */
export type PageSite = {
  policy: PagePolicy
  /** A page that reports a failure leads there; without it, it leads nowhere. */
  home?: Link
  /** A browser that has seen a page over https comes back that way only. */
  strictTransport?: true
}

export type PageAnswer = {
  status?: number
  /** Where else a form on the page leads to. */
  formAction?: string
  /** Nothing is kept unless a page says for how long it may be. */
  caching?: string
}

export type SendPage = (reply: FastifyReply, page: Html, answer?: PageAnswer) => FastifyReply

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' }

/** Makes the function that answers with a page of a site. */
export function createSendPage({ policy, strictTransport }: PageSite): SendPage {
  const headersOf = policyHeaders(policy)
  return (reply, page, { status = 200, formAction, caching = 'no-store' } = {}) => {
    if (strictTransport && isEncrypted(reply.request)) reply.headers(STRICT_TRANSPORT)
    return reply
      .code(status)
      .headers(HEADERS)
      .headers(headersOf(formAction))
      .header('cache-control', caching)
      .send(page)
  }
}
