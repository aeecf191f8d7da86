import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

/** A HEAD would otherwise read a whole stream, as fast as it can, to send nothing of it. */
export function endStreamsOfHead(app: FastifyInstance): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.method === 'HEAD') route.onSend = [endStream, route.onSend ?? []].flat()
  })
}

async function endStream(_request: FastifyRequest, _reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (!(payload instanceof Readable)) return payload
  payload.destroy()
  return Readable.from([])
}
