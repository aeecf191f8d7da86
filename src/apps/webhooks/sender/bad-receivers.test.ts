import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { type Certificate, createAuthority, issue, selfSigned } from '#test/certificate.ts'
import { aProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { useReceiver } from '#test/receiver.ts'
import { startSender } from '#test/senders.ts'
import { until } from '#test/start/program.ts'
import { aWebhook, deliveriesOf } from '#test/webhooks.ts'

const service = useService()
const good = useReceiver()
const servers: Server[] = []
const sockets = new Set<Socket>()

after(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
})

async function listen(server: Server, scheme = 'http'): Promise<string> {
  servers.push(server)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

const http = (listener: RequestListener) => listen(createServer(listener))
const tls = (certificate: Certificate) =>
  listen(
    createTlsServer(certificate, (_, response) => response.end()),
    'https',
  )
/** Answers with these bytes and closes the connection. */
const raw = (answer: string) => listen(createTcpServer((socket) => socket.once('data', () => socket.end(answer))))

/** Pours a gigabyte into the answer, unless the other side ends it. */
function pour(status: number): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-length': 2 ** 30 })
    const more = () => {
      while (response.write(Buffer.alloc(65_536, 'g')));
      response.once('drain', more)
    }
    more()
  }
}

async function closedPort(): Promise<string> {
  const server = createTcpServer()
  const address = await listen(server)
  server.close()
  return address
}

type Expected = { status: number | null; code: string | null; reason: RegExp | null; response?: RegExp }

const NO_ANSWER = { status: null }

const CASES: [name: string, start: () => Promise<string>, Expected][] = [
  ['a gigabyte with 200', () => http(pour(200)), { status: 200, code: null, reason: null, response: /^g{2048}$/ }],
  ['a gigabyte with 500', () => http(pour(500)), { status: 500, code: 'refused', reason: /answered 500/ }],
  ['HTTP/1.0', () => raw('HTTP/1.0 200 OK\r\n\r\nold'), { status: 200, code: null, reason: null, response: /^old$/ }],
  [
    'a redirect',
    () => http((_, response) => response.writeHead(302, { location: good.url('/redirected') }).end()),
    { status: 302, code: 'refused', reason: /not followed/ },
  ],
  ['no answer', () => http(() => {}), { ...NO_ANSWER, code: 'answer_timeout', reason: /did not answer within/ }],
  [
    'an answer that ends in its headers',
    () => raw('HTTP/1.1 200 OK\r\ncontent-le'),
    { ...NO_ANSWER, code: 'connection_closed', reason: /closed the connection/ },
  ],
  [
    'garbage',
    () => raw('\x00\x01 nonsense\r\n\r\n'),
    { ...NO_ANSWER, code: 'invalid_answer', reason: /not valid HTTP/ },
  ],
  ['a closed port', closedPort, { ...NO_ANSWER, code: 'connection_refused', reason: /refused/ }],
  [
    'a self-signed certificate',
    () => tls(selfSigned('127.0.0.1')),
    { ...NO_ANSWER, code: 'certificate_self_signed', reason: /self-signed/ },
  ],
  [
    'a certificate without its intermediate',
    () => tls(issue(createAuthority('Intermediate', createAuthority('Root')), ['127.0.0.1'])),
    { ...NO_ANSWER, code: 'certificate_incomplete', reason: /intermediate/ },
  ],
  [
    'no TLS behind https',
    async () => (await http((_, response) => response.end())).replace('http:', 'https:'),
    { ...NO_ANSWER, code: 'tls_missing', reason: /TLS/ },
  ],
  [
    'a private network',
    async () => 'http://10.0.0.1/hook',
    { ...NO_ANSWER, code: 'private_address', reason: /private network/ },
  ],
]

describe('a bad receiver', () => {
  // Each has a company of its own, because a failure blocks the others of its app.
  test('is on record with the reason, and the others go on', async () => {
    const subscribed = []
    for (const [name, start, expected] of CASES) {
      const shop = await service.openShop()
      const { id } = await aWebhook(shop, await start())
      subscribed.push({ name, shop, id, expected })
    }
    const sender = startSender(service, { waits: { answerMs: 300, bodyMs: 300 } })
    await Promise.all(subscribed.map(({ shop }) => aProduct(shop)))
    const ok = await service.openShop()
    await aWebhook(ok, good.url('/good'))
    await aProduct(ok)
    for (const { name, shop, id, expected } of subscribed) {
      const attempts = async () => (await deliveriesOf(shop, id))[0]?.attempts ?? []
      await until(`an attempt at ${name}`, async () => (await attempts()).length > 0)
      const [attempt, ...others] = await attempts()
      assert.deepEqual(others, [], name)
      assert.deepEqual([attempt.status, attempt.code], [expected.status, expected.code], name)
      assert.match(attempt.reason ?? '', expected.reason ?? /^$/, name)
      assert.match(attempt.response, expected.response ?? /^(g{2048})?$/, name)
      assert.equal((await deliveriesOf(shop, id))[0].state, expected.code === null ? 'delivered' : 'pending', name)
    }
    await until('a good one gets its event', () => good.at('/good').length === 1)
    assert.deepEqual(good.at('/redirected'), [])
    await sender.stop()
    assert.deepEqual(sender.log, [])
  })
})
