import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long the body of a request may take to arrive. */
const BODY_MS = 60_000
/** How long an upload may go without a byte. */
const STALLED_MS = 30_000

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/**
 * Ends requests whose body does not arrive in time, as Node's own limit does. Node has one limit for all requests, and
 * an upload may take hours.
 */
export function limitBodyTime(server: Server, bodyMs = BODY_MS): void {
  // Before the listener that answers the request, which may lift the limit.
  server.prependListener('request', (request: IncomingMessage) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
    if (length === '0' && encoding === undefined) return
    const end = () => server.emit('clientError', timedOut(), request.socket)
    const deadline = setTimeout(end, bodyMs).unref()
    deadlines.set(request, deadline)
    request.once('close', () => clearTimeout(deadline))
  })
}

/** Lets a body wait that is not read yet. */
export function holdBody(request: IncomingMessage): void {
  clearTimeout(deadlines.get(request))
}

/** Lets the body of an upload take as long as it needs, while bytes keep coming, or up to a time. */
export function allowSlowBody(
  request: IncomingMessage,
  { stalledMs = STALLED_MS, bodyMs }: { stalledMs?: number; bodyMs?: number } = {},
): void {
  holdBody(request)
  const { socket } = request
  let received = socket.bytesRead
  const watch = setInterval(() => {
    if (socket.bytesRead === received && !request.complete) socket.destroy()
    received = socket.bytesRead
  }, stalledMs).unref()
  request.once('close', () => clearInterval(watch))
  if (bodyMs === undefined) return
  const deadline = setTimeout(() => socket.destroy(), bodyMs).unref()
  request.once('close', () => clearTimeout(deadline))
}

/** Ends a connection on which a request does not arrive. Whoever does not close its side neither keeps it open. */
export function endUnfinished(server: Server, socket: Socket): void {
  server.emit('clientError', timedOut(), socket)
  socket.destroySoon()
}

function timedOut(): Error {
  return Object.assign(new Error('the request took too long to arrive'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}
