import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after } from 'node:test'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'

export type Route = {
  method: string
  url: string
  scopes: string[]
  /** What a signed-in user needs; undefined if the route is not for them. */
  permissions: readonly string[] | undefined
  isPublic: boolean
  /** `other`: it answers on the hosts of shops only. */
  site: string | undefined
  asksForSession: boolean
  schema: FastifySchema
  /** When it is refused if there is too much to do. */
  priority: string | undefined
}

/** The answer of a stream does not end, so its own tests read it: they are in webhooks/listening. */
export const ENDLESS = ['/api/events/stream']

/** The tus protocol has its own rules, and its own tests: content-files/uploads/uploads.test.ts. */
const OTHER_PROTOCOL = /\/files\/uploads(\/|$)/

const CHANNEL = 'fastify.initialization'

/** Every route of the service that this test file starts. Call it first: it listens for the service to be made. */
export function collectRoutes(): () => Route[] {
  const seen: RouteOptions[] = []
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => void seen.push(route))
  }
  subscribe(CHANNEL, listen)
  after(() => unsubscribe(CHANNEL, listen))

  return () => {
    if (seen.length === 0) throw new Error('saw no route: nothing was audited')
    const ours = seen.filter(({ url }) => !OTHER_PROTOCOL.test(url))
    return ours.flatMap(({ method, url, config, constraints, schema = {} }) =>
      [method].flat().map((one) => ({
        method: one,
        url,
        scopes: [config?.access?.scope ?? []].flat(),
        permissions: config?.access?.permissions,
        isPublic: config?.public === true,
        site: typeof constraints?.site === 'string' ? constraints.site : undefined,
        asksForSession: config?.session === true,
        schema,
        priority: config?.priority,
      })),
    )
  }
}
