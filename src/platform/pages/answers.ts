import type { FastifyReply } from 'fastify'
import { isEncrypted } from './encryption.ts'
import type { Html, Link } from './layout.ts'
import { type PagePolicy, policyHeaders } from './policy.ts'

/** Pages that belong together, with their common rules. */
export type PageSite = {
  policy: PagePolicy
  /** The link on error pages; without it they have none. */
  home?: Link
  /** Tells browsers that have seen a page over https to use https only. */
  strictTransport?: true
  /**
   * Browsers send no referrer, and then name no origin with a form either. A site that recognises its forms by their
   * origin lets them send both to itself.
   */
  referrer?: 'same-origin'
}

export type PageAnswer = {
  status?: number
  /** Other addresses that a form on the page may be sent to. */
  formAction?: string
  /** Nothing is cached unless a page says for how long. */
  caching?: string
}

/** A page that is sent again and again is given as its bytes, so that it is not encoded each time. */
export type SendPage = (reply: FastifyReply, page: Html | Buffer, answer?: PageAnswer) => FastifyReply

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
}

const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' }

export type PageHeaders = (answer: Pick<PageAnswer, 'formAction' | 'caching'>) => Record<string, string>

/** Makes the function that works out the headers of a page of a site. */
export function createPageHeaders({ policy, referrer }: PageSite): PageHeaders {
  const headersOf = policyHeaders(policy)
  const common = { ...HEADERS, 'referrer-policy': referrer ?? 'no-referrer' }
  return ({ formAction, caching = 'no-store' }) => ({ ...common, ...headersOf(formAction), 'cache-control': caching })
}

/** Makes the function that answers with a page of a site. */
export function createSendPage(site: PageSite): SendPage {
  const headersOf = createPageHeaders(site)
  return (reply, page, { status = 200, ...answer } = {}) => {
    if (site.strictTransport && isEncrypted(reply.request)) reply.headers(STRICT_TRANSPORT)
    return reply.code(status).headers(headersOf(answer)).send(page)
  }
}
