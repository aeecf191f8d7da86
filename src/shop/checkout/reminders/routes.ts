import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { ResourceOptions } from '#platform/http/resource.ts'
import type { PagePolicy } from '#platform/pages/policy.ts'
import { addPages } from '#platform/pages/site.ts'
import { stopReminders } from './commands.ts'
import { createReminderLinks } from './links.secrets.ts'
import { readCompanyName } from './queries.ts'
import { stopPage, stoppedPage, voidPage } from './views.ts'

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

type Link = { Params: { token: string } }

/**
 * The pages that end the reminders of carts. The signed token in the address is the proof, and mail programs send the form
 * without opening the page (RFC 8058).
 */
export const reminderRoutes: FastifyPluginCallback<Pick<ResourceOptions, 'db' | 'now' | 'vault'>> = (
  app,
  { db, now, vault },
  done,
) => {
  addPages(app, { policy: POLICY, strictTransport: true })
  ignoreBodies(app)
  const links = createReminderLinks(vault)

  // Opening the page changes nothing, because mail scanners open links.
  app.get<Link>('/cart-reminders/stop/:token', open, async (request, reply) => {
    const stop = links.readStop(request.params.token)
    if (stop === undefined) return reply.page(voidPage(languageOf(request)), { status: GONE })
    return reply.page(stopPage(stop.language, await readCompanyName(db, stop.companyId)))
  })

  app.post<Link>('/cart-reminders/stop/:token', open, async (request, reply) => {
    const stop = links.readStop(request.params.token)
    if (stop === undefined) return reply.page(voidPage(languageOf(request)), { status: GONE })
    await app.change((tx) => stopReminders(tx, stop, now(stop.companyId)))
    return reply.page(stoppedPage(stop.language, await readCompanyName(db, stop.companyId)))
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

function languageOf({ headers }: FastifyRequest): string {
  return (headers['accept-language'] ?? '').slice(0, 2).toLowerCase()
}
