import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/**
 * Proxies must neither keep nor collect what is sent. The connection ends with the stream, so that a service that stops
 * has no idle connection to wait for.
 */
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  connection: 'close',
}

/**
 * Sends Server-Sent Events. The next text is asked for once the client has taken the one before. `whenClosed` is called
 * in any case, also if the client is gone already.
 */
export function sendEventStream(
  reply: FastifyReply,
  text: AsyncIterable<string>,
  whenClosed: () => void,
): FastifyReply {
  if (reply.raw.socket === null || reply.raw.socket.destroyed) whenClosed()
  else reply.raw.once('close', whenClosed)
  return reply.headers(HEADERS).send(Readable.from(text, { objectMode: false }))
}
