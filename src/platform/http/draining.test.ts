import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { addDraining } from './draining.ts'
import { answerBrokenRequest } from './errors.ts'

const POST = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n'
const AT_ONCE = { unreadySeconds: 0, idleSeconds: 0 }

/** Longer than a connection may be silent. */
const LONG_MS = 60_000

describe('a server that is drained', () => {
  let app: FastifyInstance
  let release: () => void
  let accepted: Promise<Socket>

  beforeEach(async () => {
    mock.timers.enable({ apis: ['setInterval'] })
    app = Fastify({ clientErrorHandler: answerBrokenRequest })
    addDraining(app)
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    app.post('/', async ({ body }) => {
      await released
      return body
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    accepted = once(app.server, 'connection').then(([socket]) => socket)
  })

  afterEach(async () => {
    release()
    mock.timers.reset()
    app.server.closeAllConnections()
    await app.close()
  })

  /** A client that has sent some bytes, which have arrived. */
  async function begin(bytes: string) {
    const { port } = app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    const text = socket.toArray().then((parts) => parts.join(''))
    const there = await accepted
    let sent = 0
    const send = async (more: string) => {
      sent += more.length
      socket.write(more)
      while (there.bytesRead < sent) await new Promise((resolve) => setImmediate(resolve))
    }
    await send(bytes)
    return { send, text, there }
  }

  for (const [what, bytes] of Object.entries({ body: `${POST}{"a"`, head: POST.slice(0, 30) }))
    test(`ends a request whose ${what} does not arrive`, async () => {
      const { text, there } = await begin(bytes)
      await app.drain(AT_ONCE)
      assert.equal(there.destroyed, false)
      mock.timers.tick(LONG_MS)
      assert.equal(there.writableEnded, true)
      assert.match(await text, /^HTTP\/1.1 408 /)
    })

  test('waits for a body of which bytes keep coming', async () => {
    const { send, text } = await begin(POST)
    await app.drain(AT_ONCE)
    release()
    for (const letter of '{"a": 1}') {
      await send(letter)
      mock.timers.tick(3000)
    }
    await send(' ')
    assert.match(await text, /^HTTP\/1.1 200 OK\r\n/)
  })

  test('waits for what it has received', async () => {
    const { text } = await begin(`${POST}{"a": 12}`)
    await app.drain(AT_ONCE)
    mock.timers.tick(LONG_MS)
    release()
    assert.match(await text, /^HTTP\/1.1 200 OK\r\n/)
  })
})
