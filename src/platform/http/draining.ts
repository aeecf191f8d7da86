import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { endUnfinished } from './requests/slow-bodies.ts'

const LOOK_MS = 50
/** How long a client may send nothing of a request that it has begun, once the idle connections are closed. */
const SILENT_MS = 3000

export type DrainTimes = {
  /** How long everything goes on as before while the service is not ready any more. */
  unreadySeconds: number
  /** How long idle connections stay open after that. */
  idleSeconds: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** True from the moment at which a stop was asked for. */
    isStopping: boolean
    /**
     * Gets clients to go elsewhere before the server is closed. `/ready` answers 503 first. Then new connections are
     * refused, which lets a proxy choose another server, and every answer says that its connection will be closed. What
     * still comes on open connections is done: a proxy may have sent it before it could know. In the end, a request that
     * has not arrived and of which nothing comes any more is given up, because nothing of it was done.
     */
    drain(times: DrainTimes): Promise<void>
  }
}

export function addDraining(app: FastifyInstance): void {
  const { server } = app
  const connections = new Set<Socket>()
  const underWay = new Set<ServerResponse>()
  let isClosing = false
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    if (isClosing) response.setHeader('Connection', 'close')
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
  })

  function endSilent(): void {
    const received = new Map<Socket, number>()
    const look = () => {
      const busy = new Set([...underWay].filter(isBegun).map(({ req }) => req.socket))
      for (const socket of connections) {
        const isSilent = received.get(socket) === socket.bytesRead && !busy.has(socket)
        received.set(socket, socket.bytesRead)
        if (isSilent && connections.delete(socket)) endUnfinished(server, socket)
      }
    }
    look()
    setInterval(look, SILENT_MS).unref()
  }

  app.decorate('isStopping', false)
  app.decorate('drain', async ({ unreadySeconds, idleSeconds }) => {
    app.isStopping = true
    await sleep(unreadySeconds * 1000)
    isClosing = true
    for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close')
    // In this phase of the event loop, connections that had been made before have been accepted: none is reset.
    await new Promise((resolve) => setImmediate(resolve))
    // Closing an HTTP server also closes its idle connections, on which a request may be under way to us.
    NetServer.prototype.close.call(server)
    const deadline = performance.now() + idleSeconds * 1000
    while (performance.now() < deadline && (await countConnections(app)) > 0) await sleep(LOOK_MS)
    endSilent()
  })
}

/** Does the service work on the request or answer it, so that the client has nothing to send first? */
function isBegun({ req, headersSent }: ServerResponse): boolean {
  return req.complete || headersSent
}

function countConnections({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}
