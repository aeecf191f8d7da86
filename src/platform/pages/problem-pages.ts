import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import type { Problem } from '../errors/problem.ts'
import { isOwnHost } from '../wire/own-address.ts'
import { createSendPage, type PageSite, type SendPage } from './answers.ts'
import { pageNotFound } from './errors.ts'
import { type Html, type Link, layout, wholePage } from './layout.ts'

const TITLES: Record<number, string> = {
  400: 'That did not work',
  403: 'That is not possible',
  404: 'There is nothing here',
  405: 'That is not possible',
  409: 'That is not possible',
  414: 'There is nothing here',
  429: 'Too many attempts',
  503: 'Not available right now',
}

/** With a link home this is a page of the service; without one it does not name the service. */
function problemPage({ status, message }: Problem, requestId: string, home: Link | undefined): Html {
  const title = TITLES[status] ?? 'Something went wrong'
  const link = home === undefined ? '' : html`<p class="links"><a href="${home.href}">${home.text}</a></p>`
  const main = html`<div class="card"><h1>${title}</h1>
<p>${message}</p>
<p class="faint">If you ask somebody for help, pass on this number: <code>${requestId}</code></p>
!${link}</div>`
  return home === undefined
    ? wholePage({ title, frame: 'poster', body: html`<main>!${main}</main>` })
    : layout({ title, main })
}

/** Answers with a failure as a page. */
export function sendProblemPage(send: SendPage, reply: FastifyReply, problem: Problem, home?: Link): FastifyReply {
  const page = problemPage(problem, reply.request.id, home)
  return send(reply.headers(problem.headers), page, { status: problem.status })
}

/** Does the browser request a page, for a person to see? */
function wantsPage({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').toLowerCase().includes('text/html')
}

export type AddressPages = PageSite & {
  /** Is the address part of the API? Such addresses get no page. */
  isForPrograms: (request: FastifyRequest) => boolean
}

/**
 * Shows people a page for an address that does not exist, or that cannot be used that way. On hosts other than our own it
 * has no link home.
 */
export function createAddressPage({ isForPrograms, ...site }: AddressPages) {
  const send = createSendPage(site)
  return (request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply | undefined => {
    if (isForPrograms(request) || !wantsPage(request)) return undefined
    const isOwn = isOwnHost(request.host, request.server.baseUrl ?? '')
    return sendProblemPage(
      send,
      reply,
      problem.status === 404 ? pageNotFound() : problem,
      isOwn ? site.home : undefined,
    )
  }
}
