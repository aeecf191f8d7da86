import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../outbound/addresses.ts'
import { belongsTo } from './proxies.ts'

export type ConnectionLimits = {
  /** A connection to which nothing could be written for so long is closed. */
  stalledMs: number
  /** How many connections one client may have open. */
  perAddressMax: number
  /** How many connections there may be in all. */
  totalMax: number
}

/**
 * Bounds what clients can hold with connections: how many there are, and how long one may take nothing. The connections
 * of a trusted proxy are those of many clients, and are not counted by address.
 */
export function limitConnections(server: Server, limits: ConnectionLimits, trustProxy: readonly string[]): void {
  server.maxConnections = limits.totalMax
  closeStalled(server, limits.stalledMs)
  countByAddress(server, limits.perAddressMax, belongsTo(trustProxy))
}

/**
 * How many requests of a connection are received or worked on. On the socket itself: a weak set from which sockets come and go
 * rehashes itself, which took 7 % of the processor's time after an overload had made it large.
 */
const UNDER_WAY = Symbol('requests under way')
type Counted = Socket & { [UNDER_WAY]?: number }

/**
 * Closes connections whose client reads nothing. Node reports a socket without any progress, in either direction, after
 * this time. A client that reads slowly makes progress and stays. A request that is still being received or worked on
 * stays too, because other limits apply to it.
 */
function closeStalled(server: Server, stalledMs: number): void {
  server.timeout = stalledMs
  server.on('request', ({ socket }: { socket: Counted }, response: ServerResponse) => {
    socket[UNDER_WAY] = (socket[UNDER_WAY] ?? 0) + 1
    // A client may have sent its next request before this response.
    response.once('finish', () => {
      socket[UNDER_WAY] = (socket[UNDER_WAY] ?? 1) - 1
    })
  })
  server.on('timeout', (socket: Counted) => {
    const isIdle = socket[UNDER_WAY] === 0
    const isWaiting = socket.writableLength === 0 && !socket.writableEnded && !isIdle
    if (!isWaiting) socket.destroy()
  })
}

/** Refuses connections of a client that has too many, before a byte of them is read. */
function countByAddress(server: Server, perAddressMax: number, isProxy: (address: string) => boolean): void {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    if (isProxy(remoteAddress)) return
    const network = networkOf(remoteAddress)
    const count = (open.get(network) ?? 0) + 1
    if (count > perAddressMax) return void socket.destroy()
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
  })
}
