import type { Socket } from 'node:net'
import type { buildConnector, Dispatcher } from 'undici'
import { guardedConnector, type Reach } from './connector.ts'
import { type Channel, POST_WAITS, type PostMessage, type PostOutcome, type PostWaits, post } from './post.ts'

export type Outbound = {
  /** Sends one request to an address that was given from outside; the caller follows redirects. */
  request(url: string, options: OutboundRequest): Promise<Dispatcher.ResponseData>
  /** Posts a message to an address that was given from outside, and says how it went. */
  post(url: string, message: PostMessage): Promise<PostOutcome>
  close(): Promise<void>
}

export type OutboundRequest = Partial<Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body' | 'signal'>>

/** Tests lower the limits. */
export type OutboundOptions = Reach & {
  waits?: Partial<PostWaits & { connectMs: number }>
  connectionsKeptMax?: number
}

const CONNECT_MS = 10_000
/** An idle connection is kept for four seconds, or for as long as the server says, but no longer than this. */
const KEEP_ALIVE_MAX_MS = 10_000
const CONNECTIONS_PER_HOST_MAX = 32
/** From here on each connection ends with its request, so that many hosts cannot use up the file descriptors. */
const CONNECTIONS_KEPT_MAX = 2000
const HEADER_BYTES_MAX = 16_384

/** All requests that the service makes to addresses given from outside go through one guarded connector. */
export function createOutbound(options: OutboundOptions): Outbound {
  let channel: Promise<Channel> | undefined
  // Loaded with the first request, because loading it takes a tenth of a second.
  const open = () => (channel ??= openChannel(options))
  return {
    async request(url, requestOptions) {
      const { request } = await import('undici')
      return request(url, { ...requestOptions, dispatcher: (await open()).dispatcher })
    },
    async post(url, message) {
      return post(await open(), url, message)
    },
    async close() {
      const opened = await channel
      await Promise.all([opened?.dispatcher.close(), opened?.secondTry.close()])
    },
  }
}

async function openChannel({
  waits = {},
  connectionsKeptMax = CONNECTIONS_KEPT_MAX,
  ...reach
}: OutboundOptions): Promise<Channel> {
  const { Agent, buildConnector } = await import('undici')
  const { connectMs = CONNECT_MS, ...postWaits } = waits
  const connections = watchConnections(guardedConnector(buildConnector, reach, connectMs))
  const agentOptions = {
    connect: connections.connect,
    connections: CONNECTIONS_PER_HOST_MAX,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
  }
  return {
    dispatcher: new Agent(agentOptions),
    secondTry: new Agent({ ...agentOptions, pipelining: 0 }),
    isOpening: connections.isOpening,
    isCrowded: () => connections.count() > connectionsKeptMax,
    waits: { ...POST_WAITS, ...postWaits },
  }
}

type Connections = { connect: buildConnector.connector; isOpening(): boolean; count(): number }

/** Undici starts the first request of a connection within this callback; later requests reuse the connection. */
function watchConnections(connect: buildConnector.connector): Connections {
  let isOpening = false
  let count = 0
  const opened = (socket: Socket) => {
    count += 1
    socket.once('close', () => (count -= 1))
  }
  return {
    connect: (options, callback) =>
      connect(options, (...result) => {
        const [error, socket] = result
        if (error === null) opened(socket)
        isOpening = true
        try {
          callback(...result)
        } finally {
          isOpening = false
        }
      }),
    isOpening: () => isOpening,
    count: () => count,
  }
}
