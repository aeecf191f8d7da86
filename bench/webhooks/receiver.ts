import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
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
  onArrival: ((body: string) => void) | undefined
}

const HOSTS = 100

/** Answers at `/ok`, refuses at `/refuse`, and never answers at `/hang`. It runs in this process, beside PostgreSQL. */
export async function startReceiver(): Promise<Receiver> {
  let count = 0
  let wanted = Number.POSITIVE_INFINITY
  let reached = () => {}
  const hanging = new Set<ServerResponse>()
  const server = createServer((request, response) => {
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
      receiver.onArrival?.(Buffer.concat(chunks).toString())
      count += 1
      if (count >= wanted) reached()
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  atCleanUp(async () => {
    server.closeAllConnections()
    server.close()
  })
  const receiver: Receiver = {
    url: (path, host = 0) => `http://127.0.0.${1 + (host % HOSTS)}:${port}${path}`,
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
