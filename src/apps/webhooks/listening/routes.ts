import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendEventStream } from '#platform/http/answers/event-stream.ts'
import { tokenCallerOf } from '#platform/http/requests/authenticate.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { createListeners } from './listeners.worker.ts'
import { StreamQuery } from './schema.ts'
import { createStreams } from './stream.worker.ts'

const EXAMPLE = 'id: 1042\ndata: {"headers": {"webhook-id": "evt_1042"}, "body": "{}"}\n\n'

/** Events as they happen, for a receiver that cannot be reached from outside, such as one under development. */
export const listeningRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (
  app,
  { db, clock, notices, vault },
  done,
) => {
  const listeners = createListeners({ db, notices })
  const openStream = createStreams({ db, clock, vault, listeners })
  app.addHook('preClose', async () => listeners.stop())

  app.get(
    '/events/stream',
    {
      config: { access: { scope: 'webhooks' } },
      // A stream has no length that a HEAD could tell.
      exposeHeadRoute: false,
      schema: {
        tags: ['Events'],
        operationId: 'streamEvents',
        summary: 'Follow events as they happen',
        description:
          'Server-Sent Events. `id` is that of the event, and `data` is JSON with the `headers` and the `body` of the request that a webhook of the app would get, signed with the secret of the app. A comment every 15 seconds keeps the connection open. The stream ends with the token. The header `Last-Event-ID`, which browsers send when they reconnect, wins over `since_id`. An app can have 20 streams open for a company.',
        querystring: StreamQuery,
        response: {
          200: {
            description: 'A stream that does not end by itself.',
            content: { 'text/event-stream': { schema: Type.String({ examples: [EXAMPLE] }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { query, headers } = request
      const stream = await openStream({
        caller: tokenCallerOf(request),
        query,
        lastEventId: headers['last-event-id']?.toString(),
        isStillAdmitted: () => app.isStillAdmitted(request),
      })
      return sendEventStream(reply, stream.text, stream.leave)
    },
  )
  done()
}
