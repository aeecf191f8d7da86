import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'

/** A request that a receiver got. */
export type ReceivedEvent = {
  path: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries.
  body: any
}

export type Receiver = {
  url(path: string): string
  readonly received: ReceivedEvent[]
  /** The events that arrived at a path. */
  at(path: string): ReceivedEvent[]
  /** Answers a request; 200 unless a test says otherwise. */
  answer: (event: ReceivedEvent, response: ServerResponse) => void
}

/** A web server that takes webhooks, for a test file. */
export function useReceiver(): Receiver {
  let server: Server
  const ok: Receiver['answer'] = (_event, response) => void response.end('thank you')
  const receiver: Receiver = {
    url: (path) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    received: [],
    at: (path) => receiver.received.filter((event) => event.path === path),
    answer: ok,
  }
  before(async () => {
    server = createServer(async (request, response) => {
      const text = Buffer.concat(await Array.fromAsync(request)).toString()
      const event = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) }
      receiver.received.push(event)
      receiver.answer(event, response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return receiver
}
