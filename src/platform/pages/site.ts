import cookie from '@fastify/cookie'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import type { Problem } from '../errors/problem.ts'
import { asProblem, logged } from '../http/errors.ts'
import { readForms } from '../http/requests/forms.ts'
import type { ResourceOptions } from '../http/resource.ts'
import type { Vault } from '../identity/vault.ts'
import { createSendPage, type PageAnswer, type PageSite } from './answers.ts'
import { addCsrf } from './csrf.ts'
import { requireEncryption } from './encryption.ts'
import { formExpired, formTypeUnsupported } from './errors.ts'
import type { Html } from './layout.ts'
import { sendProblemPage } from './problem-pages.ts'
import { addSessions, type SessionOptions } from './sessions.ts'
import { favicon, STYLE_FILES } from './style.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with a page, under the policy of its site. */
    page(html: Html, options?: PageAnswer): FastifyReply
  }
}

/** The dependencies of routes with private pages. */
export type PageResourceOptions = Omit<
  ResourceOptions,
  | 'heavyReads'
  | 'longReads'
  | 'notices'
  | 'files'
  | 'transfers'
  | 'reading'
  | 'drmProxy'
  | 'outbound'
  | 'serviceUrls'
  | 'sendsMails'
  | 'deletion'
  | 'backups'
>

/** Serves the stylesheet of all sites and its font, on every host, and the icon of the service on its own. */
export function addStylesheet(app: FastifyInstance, iconPath: string): void {
  for (const { path, contentType, content } of STYLE_FILES)
    app.get(path, { config: { public: true, priority: 'high' }, schema: { hide: true } }, (_request, reply) =>
      reply
        .headers({ 'content-type': contentType, 'cache-control': 'public, max-age=31536000, immutable' })
        .send(content),
    )
  const ofService = { config: { public: true }, schema: { hide: true }, constraints: { site: 'own' } } as const
  app.get(iconPath, ofService, (_request, reply) =>
    reply
      .headers({ 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' })
      .header('x-content-type-options', 'nosniff')
      .send(favicon),
  )
}

/** Lets the routes of a site answer with pages; its failures are pages too. */
export function addPages(app: FastifyInstance, site: PageSite, problemOf = asProblem): void {
  const send = createSendPage(site)
  app.decorateReply('page', function page(this: FastifyReply, html, options) {
    return send(this, html, options)
  })
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    sendProblemPage(send, reply, logged(error, request, problemOf(error)), site.home),
  )
}

export type PrivatePages = PageSite & SessionOptions & { vault: Vault }

/** addPages for people who sign in: with cookies, forms and sessions, over https, and on the service's own host only. */
export async function addPrivatePages(app: FastifyInstance, options: PrivatePages): Promise<void> {
  addPages(app, options, problemOfForm)
  app.removeAllContentTypeParsers()
  readForms(app)
  // On another host these pages would ask for passwords under the name of that host.
  app.addHook('onRoute', (route) => {
    route.constraints = { ...route.constraints, site: 'own' }
  })
  requireEncryption(app)
  await app.register(cookie)
  addSessions(app, options)
  await addCsrf(app, options.vault)
}

function problemOfForm(error: FastifyError): Problem | undefined {
  if (error.code?.startsWith('FST_CSRF_')) return formExpired()
  return error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? formTypeUnsupported() : asProblem(error)
}
