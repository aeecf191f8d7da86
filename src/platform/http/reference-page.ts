import Fastify, { type FastifyInstance } from 'fastify'
import { handleErrors, type NotFoundPage } from './errors.ts'

/** What the page shows and what it leaves out: nothing of it comes from, or goes to, another host. */
const configuration = {
  url: '/openapi.json',
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never' as const,
  authentication: { preferredSecurityScheme: 'bearer' },
  pageTitle: 'Licet reference',
}

/**
 * Serves the page at /docs. It brings megabytes of script that few processes ever serve, so it is loaded for
 * the first reader, into a small service of its own that the request is handed on to.
 */
export function addReferencePage(app: FastifyInstance, notFoundPage?: NotFoundPage): void {
  let page: Promise<FastifyInstance> | undefined
  const options = { config: { public: true }, schema: { hide: true } } as const
  for (const url of ['/docs', '/docs/', '/docs/*']) {
    app.get(url, options, async (request, reply) => {
      page ??= loadPage(notFoundPage)
      const { routing } = await page
      reply.hijack()
      routing(request.raw, reply.raw)
    })
  }
  app.addHook('onClose', async () => (await page)?.close())
}

async function loadPage(notFoundPage: NotFoundPage | undefined): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const page = Fastify()
  handleErrors(page, notFoundPage)
  await page.register(scalar, { routePrefix: '/docs', configuration })
  await page.ready()
  return page
}
