import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { atCleanUp } from '../processes.ts'

export type Receiver = {
  /** An address on one of the hosts of this machine: each counts as a receiver of its own. */
  url(path: string, host?: number): string
  /** Resolves once so many requests have arrived at `/ok` since `reset`. */
  arrived(count: number): Promise<void>
  count(): number
  reset(): void
  /** Called for each arrival, with its body if anybody asked for bodies. */
  onArrival: ((body: string, headers: IncomingHttpHeaders) => void) | undefined
}

const HOSTS = 100

const hostName = (host: number) => `127.0.0.${1 + (host % HOSTS)}`

async function listen(answer: RequestListener, host: number, port: number): Promise<number> {
  const server = createServer(answer)
  server.keepAliveTimeout = 60_000
  server.listen(port, hostName(host))
  await once(server, 'listening')
  atCleanUp(async () => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Answers at `/ok`, refuses at `/refuse`, and never answers at `/hang`. It runs in this process, beside PostgreSQL. */
export async function startReceiver(): Promise<Receiver> {
  let count = 0
  let wanted = Number.POSITIVE_INFINITY
  let reached = () => {}
  const hanging = new Set<ServerResponse>()
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => receiver.onArrival && chunks.push(chunk))
    request.on('end', () => {
      if (path.startsWith('/hang')) {
        hanging.add(response)
        response.once('close', () => hanging.delete(response))
        return
      }
      if (path.startsWith('/refuse')) return void response.writeHead(500).end()
      response.end('ok')
      receiver.onArrival?.(Buffer.concat(chunks).toString(), request.headers)
      count += 1
      if (count >= wanted) reached()
    })
  }
  // Each host has a server of its own: one for all of them would listen beyond loopback.
  let port = 0
  for (let host = 0; host < HOSTS; host += 1) port = await listen(answer, host, port)
  const receiver: Receiver = {
    url: (path, host = 0) => `http://${hostName(host)}:${port}${path}`,
    arrived(number) {
      return new Promise((resolve) => {
        wanted = number
        reached = resolve
        if (count >= wanted) resolve()
      })
    },
    count: () => count,
    reset() {
      count = 0
      wanted = Number.POSITIVE_INFINITY
    },
    onArrival: undefined,
  }
  return receiver
}
