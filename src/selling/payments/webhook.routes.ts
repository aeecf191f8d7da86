import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { PathPart } from '#platform/wire/schema.ts'
import { eventRefused } from './errors.ts'
import { findGatewayKey } from './gateways/table.facts.ts'
import { receiveEvents } from './receive.commands.ts'

const EVENT_BYTES_MAX = 262_144

/**
 * Gateways sign the bytes that they send, so the body stays as it is. The signature is what lets them in; a gateway that signs
 * nothing is asked whether the news are true.
 */
export const paymentWebhookRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, options, done) => {
  const { db, vault, outbound, serviceUrls, now, clock } = options
  const work = { db, vault, outbound, serviceUrls, now, clock, change: app.change, baseUrl: () => app.baseUrl }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: EVENT_BYTES_MAX }, (_request, body, parsed) =>
    parsed(null, body),
  )

  app.post(
    '/payments/:company/:gateway',
    {
      config: { public: true, priority: 'high' },
      bodyLimit: EVENT_BYTES_MAX,
      schema: {
        hide: true,
        params: Type.Object({ company: PathPart('Id of the company.'), gateway: PathPart('Key of the gateway.') }),
      },
    },
    async ({ params, headers, body, ip }, reply) => {
      const gateway = findGatewayKey(params.gateway)
      if (gateway === undefined) return reply.callNotFound()
      if (!/^\d{1,15}$/.test(params.company) || !Buffer.isBuffer(body)) throw eventRefused()
      await receiveEvents(work, Number(params.company), gateway, { headers, body }, ip)
      return { received: true }
    },
  )

  done()
}
