import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import type { Problem } from '../errors/problem.ts'
import { findMessage, type PlainMessageKey, type Translator } from '../text/messages.ts'
import { isOwnHost } from '../wire/own-address.ts'
import { createSendPage, type PageSite, type SendPage } from './answers.ts'
import { pageNotFound } from './errors.ts'
import { type Html, type Link, layout, wholePage } from './layout.ts'
import { readerOf } from './reader.ts'

const TITLES: Readonly<Record<number, PlainMessageKey>> = {
  400: 'account.problem.titles.failed',
  403: 'account.problem.titles.impossible',
  404: 'account.problem.titles.nothing_here',
  405: 'account.problem.titles.impossible',
  409: 'account.problem.titles.impossible',
  414: 'account.problem.titles.nothing_here',
  429: 'account.problem.titles.too_many',
  503: 'account.problem.titles.away',
}

/** What people can run into is said in their language. The rest is for developers, and as the API says it. */
function explain({ language }: Translator, { reason, code, message }: Problem): Html {
  const said =
    findMessage(language, `account.problem.reasons.${reason}`) ?? findMessage(language, `account.problem.codes.${code}`)
  return said === undefined ? html`<p lang="en">${message}</p>` : html`<p>${said(undefined)}</p>`
}

/** With a link home this is a page of the service; without one it does not name the service. */
function problemPage(t: Translator, problem: Problem, requestId: string, home: Link | undefined): Html {
  const title = t(TITLES[problem.status] ?? 'account.problem.titles.wrong')
  const link = home === undefined ? '' : html`<p class="links"><a href="${home.href}">${t(home.text)}</a></p>`
  const main = html`<div class="card"><h1>${title}</h1>
!${explain(t, problem)}
<p class="faint">${t('account.problem.number')} <code>${requestId}</code></p>
!${link}</div>`
  return home === undefined
    ? wholePage({ title, language: t.language, frame: 'poster', body: html`<main>!${main}</main>` })
    : layout({ t, title, main })
}

/** Answers with a failure as a page. */
export function sendProblemPage(send: SendPage, reply: FastifyReply, problem: Problem, home?: Link): FastifyReply {
  const page = problemPage(readerOf(reply.request).t, problem, reply.request.id, home)
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
