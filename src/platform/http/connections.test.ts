import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type ConnectionLimits, limitConnections } from './connections.ts'

const LIMITS: ConnectionLimits = { stalledMs: 100, perAddressMax: 100, totalMax: 1000 }
const MEGABYTE = 1_048_576
const LARGE = 16 * MEGABYTE

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

async function listen(answer: RequestListener, limits: Partial<ConnectionLimits> = {}, trustProxy: string[] = []) {
  const accepted: Socket[] = []
  const server = createServer(answer)
  limitConnections(server, { ...LIMITS, ...limits }, trustProxy)
  server.on('connection', (socket) => accepted.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, accepted, port: (server.address() as AddressInfo).port }
}

/** A client that sends a request and reads nothing until it is told to. */
function ask(port: number, bytes = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write(bytes)
  cleanups.push(() => socket.destroy())
  return socket
}

const closed = (socket: Socket) => once(socket, 'close', { signal: AbortSignal.timeout(5000) })

const large: RequestListener = (_request, response) => void response.end(Buffer.alloc(LARGE))

describe('a client that reads nothing', () => {
  test('loses its connection, whether the answer is one piece', async () => {
    const { port, server, accepted } = await listen(large)
    const asked = once(server, 'request')
    ask(port)
    await asked
    assert.ok((accepted[0]?.writableLength ?? 0) > MEGABYTE)
    await closed(accepted[0]!)
  })

  test('or a stream, of which no more is read than fits', async () => {
    let read = 0
    const { port, server, accepted } = await listen((_request, response) => {
      const stream = new Readable({
        read() {
          read += 65_536
          this.push(read > LARGE ? null : Buffer.alloc(65_536))
        },
      })
      response.once('close', () => stream.destroy())
      stream.pipe(response)
    })
    const asked = once(server, 'request')
    ask(port)
    await asked
    await closed(accepted[0]!)
    assert.ok(read < LARGE, String(read))
  })

  test('many of them hold next to nothing afterwards', async () => {
    const { port, server, accepted } = await listen(large)
    for (let index = 0; index < 10; index += 1) {
      const asked = once(server, 'request')
      ask(port)
      await asked
    }
    await Promise.all(accepted.filter(({ destroyed }) => !destroyed).map(closed))
    assert.equal(await new Promise((resolve) => server.getConnections((_error, count) => resolve(count))), 0)
  })
})

test('a client that reads slowly gets everything', async () => {
  // Longer than a busy machine may keep this process waiting.
  const stalledMs = 1500
  const { port } = await listen((_request, response) => void response.end(Buffer.alloc(2 * LARGE)), { stalledMs })
  const socket = ask(port)
  const start = performance.now()
  let received = 0
  let rests = 0
  for await (const chunk of socket) {
    received += chunk.length
    if (received >= 2 * LARGE) break
    if (received < rests * MEGABYTE) continue
    rests += 1
    await setTimeout(stalledMs / 5)
  }
  assert.ok(received >= 2 * LARGE, String(received))
  assert.ok(performance.now() - start > 2 * stalledMs)
})

test('a request that takes long is answered', async () => {
  const { port } = await listen(async (_request, response) => {
    await setTimeout(4 * LIMITS.stalledMs)
    response.end('done')
  })
  const answer = await fetch(`http://127.0.0.1:${port}/`)
  assert.equal(await answer.text(), 'done')
})

test('a request that comes in pieces is read', async () => {
  const { port } = await listen((_request, response) => void response.end('done'))
  const socket = ask(port, 'GET / HTTP/1.1\r\n')
  await setTimeout(3 * LIMITS.stalledMs)
  socket.end('Host: x\r\n\r\n')
  const [chunk] = await once(socket.resume(), 'data')
  assert.match(String(chunk), /^HTTP\/1\.1 200 /)
})

test('an idle connection is closed after the time for keep-alive', async () => {
  const { port, server, accepted } = await listen((_request, response) => void response.end('done'))
  server.keepAliveTimeout = 50
  const socket = ask(port).resume()
  await once(socket, 'data')
  await closed(accepted[0]!)
})

describe('the number of connections', () => {
  test('of one address is limited, and one that closes makes room', async () => {
    const { port, accepted } = await listen((_request, response) => void response.end('done'), { perAddressMax: 3 })
    const kept = [ask(port), ask(port), ask(port)]
    await Promise.all(kept.map((socket) => once(socket.resume(), 'data')))
    await closed(ask(port).resume())
    kept[0]?.destroy()
    await closed(accepted[0]!)
    await once(ask(port).resume(), 'data')
  })

  test('of a trusted proxy is not', async () => {
    const answer: RequestListener = (_request, response) => void response.end('done')
    const { port } = await listen(answer, { perAddressMax: 1 }, ['127.0.0.0/8'])
    await Promise.all([1, 2, 3].map(() => once(ask(port).resume(), 'data')))
  })

  test('is limited in all', async () => {
    const answer: RequestListener = (_request, response) => void response.end('done')
    const { port } = await listen(answer, { totalMax: 2 })
    await Promise.all([1, 2].map(() => once(ask(port).resume(), 'data')))
    await closed(ask(port).resume())
  })
})
