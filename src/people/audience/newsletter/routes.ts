import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { ResourceOptions } from '#platform/http/resource.ts'
import type { PagePolicy } from '#platform/pages/policy.ts'
import { addPages } from '#platform/pages/site.ts'
import { confirmByLink, unsubscribeByLink } from '../news-recipients/commands.ts'
import { newsRecipientState } from '../news-recipients/rules.ts'
import type { NewsRecipientState } from '../news-recipients/state.ts'
import { findConfirmation, findLeaving, readSender } from './queries.ts'
import { confirmedPage, confirmPage, leavePage, leftPage, voidPage } from './views.ts'

const open = { config: { public: true }, schema: { hide: true }, constraints: { site: 'own' } } as const
const GONE = 410
const BODY_BYTES_MAX = 65_536

const POLICY: PagePolicy = {
  scripts: [],
  styles: ["'self'"],
  fonts: ["'self'"],
  images: ["'self'", 'data:'],
  formActions: ["'self'"],
  frameAncestors: [],
}

/**
 * The pages behind the links in mails about newsletters. They know no cookie and no CSRF token: the token in the address
 * is the proof, and mail programs send the form without opening the page (RFC 8058).
 */
export const newsletterRoutes: FastifyPluginCallback<ResourceOptions> = (app, { db, now }, done) => {
  addPages(app, { policy: POLICY, strictTransport: true })
  ignoreBodies(app)

  const opened = async (recipient: NewsRecipientState) => ({ recipient, sender: await readSender(db, recipient) })

  // Opening a page changes nothing, because mail scanners open links.
  app.get<{ Params: { token: string } }>('/newsletter/confirm/:token', open, async (request, reply) => {
    const recipient = await findConfirmation(db, request.params.token, now)
    if (recipient === undefined) return reply.page(voidPage(acceptLanguage(request)), { status: GONE })
    const isPending = newsRecipientState(recipient) === 'pending'
    return reply.page((isPending ? confirmPage : confirmedPage)(await opened(recipient)))
  })

  app.post<{ Params: { token: string } }>('/newsletter/confirm/:token', open, async (request, reply) => {
    const recipient = await app.change((tx) => confirmByLink(tx, request.params.token, now))
    if (recipient === undefined) return reply.page(voidPage(acceptLanguage(request)), { status: GONE })
    return reply.page(confirmedPage(await opened(recipient)))
  })

  app.get<{ Params: { token: string } }>('/newsletter/unsubscribe/:token', open, async (request, reply) => {
    const recipient = await findLeaving(db, request.params.token)
    if (recipient === undefined) return reply.page(voidPage(acceptLanguage(request)), { status: GONE })
    const hasLeft = newsRecipientState(recipient) === 'unsubscribed'
    return reply.page((hasLeft ? leftPage : leavePage)(await opened(recipient)))
  })

  app.post<{ Params: { token: string } }>('/newsletter/unsubscribe/:token', open, async (request, reply) => {
    const recipient = await app.change((tx) => unsubscribeByLink(tx, request.params.token, now))
    if (recipient === undefined) return reply.page(voidPage(acceptLanguage(request)), { status: GONE })
    return reply.page(leftPage(await opened(recipient)))
  })

  done()
}

/** The address says everything. Mail programs send their body as any kind of form. */
function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES_MAX }, (_request, _body, parsed) =>
    parsed(null),
  )
}

function acceptLanguage({ headers }: FastifyRequest): string {
  return headers['accept-language'] ?? ''
}
