import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that arrived: of which webhook, with which message, and when it was acknowledged, if it was. */
export type Arrival = {
  path: string
  messageId: string
  position: number
  resource: string
  at: number
  acknowledgedAt: number | undefined
}

export type FailingReceiver = {
  arrivals: Arrival[]
  url(path: string): string
  /** From now on everything is acknowledged at once. */
  mend(): void
  close(): void
}

const SLOW_MS = 200

/** A receiver that sometimes refuses, closes the connection before or after it has read the event, or is slow. */
export async function startFailingReceiver(random: () => number, failureRate: number): Promise<FailingReceiver> {
  const arrivals: Arrival[] = []
  let isMended = false
  const server = createServer(async (request, response) => {
    const draw = isMended ? 1 : random()
    if (draw < failureRate / 3) return void request.socket.destroy()
    const { data } = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())
    const messageId = String(request.headers['webhook-id'])
    const arrival: Arrival = {
      path: request.url ?? '',
      messageId,
      position: Number(messageId.slice('evt_'.length)),
      resource: data.id,
      at: performance.now(),
      acknowledgedAt: undefined,
    }
    arrivals.push(arrival)
    if (draw < (failureRate * 2) / 3) return void response.writeHead(500).end()
    if (draw < failureRate) return void request.socket.destroy()
    if (draw < failureRate * 2) await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    response.once('finish', () => {
      arrival.acknowledgedAt = performance.now()
    })
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    arrivals,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    mend() {
      isMended = true
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
