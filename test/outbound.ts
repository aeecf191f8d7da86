import assert from 'node:assert/strict'
import type dns from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { after } from 'node:test'
import { createOutbound, type Outbound } from '#platform/outbound/outbound.ts'
import type { PostOutcome } from '#platform/outbound/post.ts'
import type { Certificate } from './certificate.ts'

export const MESSAGE = { body: '{"id":1}', headers: { 'content-type': 'application/json' } }

const sockets = new Set<Socket>()
const servers: Server[] = []
const outbounds: Outbound[] = []

after(async () => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
  for (const outbound of outbounds) await outbound.close()
})

export async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

type Received = { url: string; headers: Record<string, unknown>; body: string; socket: Socket }

/** A receiver that remembers what it was sent. */
export async function receive(listener: RequestListener): Promise<{ url: string; port: number; received: Received[] }> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request)
    const { url = '', headers, socket } = request
    received.push({ url, headers, body: Buffer.concat(chunks).toString(), socket })
    listener(request, response)
  })
  const port = await listen(server)
  return { url: `http://127.0.0.1:${port}/`, port, received }
}

/** A receiver that answers with these bytes, once it has read the request, and then keeps the connection open. */
export async function speak(answer: string): Promise<string> {
  const server = createTcpServer((socket) => socket.once('data', () => socket.write(answer)))
  return `http://127.0.0.1:${await listen(server)}/`
}

export async function serveTls(certificate: Certificate): Promise<number> {
  return listen(createTlsServer(certificate, (_request, response) => response.end('fine')))
}

export function open(options: Parameters<typeof createOutbound>[0] = {}): Outbound {
  const outbound = createOutbound({ allowed: { loopback: true, networks: [] }, ...options })
  outbounds.push(outbound)
  return outbound
}

/** Every name is on this machine, except those that do not exist. */
export const lookup = ((host: string, _options: unknown, callback: (error: Error | null, found: unknown) => void) => {
  const error = host.endsWith('.invalid') ? Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }) : null
  callback(error, error === null ? [{ address: '127.0.0.1', family: 4 }] : [])
}) as unknown as typeof dns.lookup

export function assertAnswered(outcome: PostOutcome, status: number, response = ''): void {
  const { durationMs, ...rest } = outcome
  assert.deepEqual(rest, { status, response, failure: undefined })
  assert.ok(Number.isInteger(durationMs) && durationMs >= 0, String(durationMs))
}

export function assertFailed(outcome: PostOutcome, code: string, reason: RegExp): void {
  assert.equal(outcome.failure?.code, code, JSON.stringify(outcome))
  assert.match(outcome.failure.reason, reason)
  assert.match(outcome.failure.reason, /^[A-Z].*\.$/)
  assert.equal(outcome.status, undefined)
  assert.equal(outcome.response, '')
}
