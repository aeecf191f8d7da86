import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import type dns from 'node:dns'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type Certificate, createAuthority, issue, selfSigned } from '#test/certificate.ts'
import {
  assertAnswered,
  assertFailed,
  listen,
  lookup,
  MESSAGE,
  open,
  receive,
  serveTls,
  speak,
} from '#test/outbound.ts'
import { createOutbound } from './outbound.ts'
import type { PostOutcome } from './post.ts'

const outbound = open({ lookup })
const impatient = open({ waits: { answerMs: 200, bodyMs: 200 } })

describe('what is posted', () => {
  test('the body, the headers, and the path with its query', async () => {
    const receiver = await receive((_request, response) => response.writeHead(202).end('thanks'))
    assertAnswered(await outbound.post(`${receiver.url}hooks?a=1&b=%20`, MESSAGE), 202, 'thanks')
    const [{ url, headers, body } = {}] = receiver.received
    assert.equal(url, '/hooks?a=1&b=%20')
    assert.equal(body, MESSAGE.body)
    assert.equal(headers?.['content-type'], 'application/json')
    assert.equal(headers?.['user-agent'], 'Licet')
    assert.equal(headers?.authorization, undefined)
  })

  test('the name and password of the address, as basic authentication', async () => {
    const receiver = await receive((_request, response) => response.end())
    const address = receiver.url.replace('//', '//shop:p%40ss%zz@')
    assertAnswered(await outbound.post(address, MESSAGE), 200)
    const expected = `Basic ${Buffer.from('shop:p@ss%zz').toString('base64')}`
    assert.equal(receiver.received[0]?.headers.authorization, expected)
  })

  test('nothing to an address that is not http', async () => {
    for (const address of ['', 'nonsense', 'ftp://example.com/', 'file:///etc/passwd'])
      assertFailed(await outbound.post(address, MESSAGE), 'invalid_address', /must start with http/)
  })
})

describe('the answer', () => {
  test('is its status, whatever it is, and redirects are not followed', async () => {
    const receiver = await receive((request, response) =>
      response.writeHead(Number(request.url?.slice(1)), { location: '/200' }).end(),
    )
    for (const status of [200, 201, 204, 301, 307, 308, 400, 404, 410, 429, 500, 503, 599])
      assertAnswered(await outbound.post(receiver.url + status, MESSAGE), status)
    assert.equal(receiver.received.length, 13)
  })

  test('can come in every form of HTTP/1', async () => {
    const forms: [answer: string, status: number, response: string][] = [
      ['HTTP/1.0 200 OK\r\n\r\nold', 200, 'old'],
      ['HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nclosed', 200, 'closed'],
      ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n', 200, 'abcde'],
      ['HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok', 201, 'ok'],
      ['HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n', 204, ''],
      ['HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n', 200, ''],
    ]
    for (const [answer, status, response] of forms) {
      const server = createTcpServer((socket) => socket.once('data', () => socket.end(answer)))
      assertAnswered(await outbound.post(`http://127.0.0.1:${await listen(server)}/`, MESSAGE), status, response)
    }
  })

  test('is shown as text, even where it is none', async () => {
    const bodies: [body: string | Buffer, response: string][] = [
      ['Größe', 'Größe'],
      [Buffer.from([0x61, 0xff, 0x00, 0x62]), 'a\uFFFD\uFFFDb'],
      [gzipSync('readable'), '(compressed)'],
    ]
    for (const [body, text] of bodies) {
      const receiver = await receive((_request, response) => {
        if (text === '(compressed)') response.setHeader('content-encoding', 'gzip')
        response.end(body)
      })
      assertAnswered(await outbound.post(receiver.url, MESSAGE), 200, text)
    }
  })

  test('is kept up to 2 KB, cut between two characters, and the connection is used again', async () => {
    const receiver = await receive((_request, response) => response.end(`${'x'.repeat(2047)}é${'y'.repeat(3000)}`))
    for (let posts = 0; posts < 3; posts += 1)
      assertAnswered(await outbound.post(receiver.url, MESSAGE), 200, 'x'.repeat(2047))
    const used = new Set(receiver.received.map(({ socket }) => socket))
    assert.ok(used.size < 3, `${used.size} connections for 3 posts`)
  })

  test('is its status although the body never ends, stops in the middle or breaks', async () => {
    const cut = Promise.withResolvers<void>()
    const endless = await receive((_request, response) => {
      const pour = () => {
        while (response.write(Buffer.alloc(65_536, 'z')));
        response.once('drain', pour)
      }
      response.once('close', cut.resolve)
      pour()
    })
    const patient = open({ waits: { bodyMs: 60_000 } })
    assertAnswered(await patient.post(endless.url, MESSAGE), 200, 'z'.repeat(2048))
    await cut.promise
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n'
    assertAnswered(await impatient.post(await speak(`${head}half`), MESSAGE), 200, 'half')
    const broken = createTcpServer((socket) => socket.once('data', () => socket.end(`${head}half`)))
    assertAnswered(await outbound.post(`http://127.0.0.1:${await listen(broken)}/`, MESSAGE), 200, 'half')
    const garbled = await speak('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nnonsense\r\n')
    assertAnswered(await outbound.post(garbled, MESSAGE), 200)
  })

  test('a gigabyte that is announced is not read', async () => {
    const receiver = await receive((_request, response) => {
      response.writeHead(200, { 'content-length': 1_073_741_824 }).write(Buffer.alloc(1_048_576, 'g'))
    })
    assertAnswered(await outbound.post(receiver.url, MESSAGE), 200, 'g'.repeat(2048))
    const { socket } = receiver.received[0] ?? {}
    if (socket?.destroyed === false) await new Promise((resolve) => socket.once('close', resolve))
  })
})

describe('connections', () => {
  // Another idle connection may be as dead as the first, so the second try must not use it.
  test('a used connection that the server has just closed is no failure, even if there are more of them', async () => {
    const counts = new Map<unknown, number>()
    const held = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const receiver = await receive(async (request, response) => {
      const count = (counts.get(request.socket) ?? 0) + 1
      counts.set(request.socket, count)
      if (request.url === '/hold') await held.promise
      if (request.url !== '/close' || count === 1) return response.end('fine')
      held.resolve()
      await answered.promise
      request.socket.destroy()
    })
    const post = async (path: string) => assertAnswered(await outbound.post(receiver.url + path, MESSAGE), 200, 'fine')
    await Promise.all([post('first'), post('second')])
    await nextTurn()
    const hold = post('hold')
    const close = post('close')
    await hold
    await nextTurn()
    answered.resolve()
    await close
    assert.deepEqual([...counts.values()], [2, 2, 1])
    const sent = receiver.received.filter(({ url }) => url === '/close').map(({ body }) => body)
    assert.deepEqual(sent, [MESSAGE.body, MESSAGE.body])
  })

  test('a new connection that the server closes is a failure at once', async () => {
    const receiver = await receive((request) => request.socket.destroy())
    assertFailed(await outbound.post(receiver.url, MESSAGE), 'connection_closed', /closed the connection/)
    assert.equal(receiver.received.length, 1)
    const reset = await receive((request) => request.socket.resetAndDestroy())
    assertFailed(await outbound.post(reset.url, MESSAGE), 'connection_closed', /closed the connection/)
    assert.equal(reset.received.length, 1)
  })

  test('one host gets at most 32 at a time', async () => {
    const all = Promise.withResolvers<void>()
    let waiting = 0
    const receiver = await receive(async (_request, response) => {
      waiting += 1
      if (waiting === 32) all.resolve()
      await all.promise
      response.end()
    })
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => outbound.post(receiver.url, MESSAGE)))
    for (const outcome of outcomes) assertAnswered(outcome, 200)
    assert.equal(new Set(receiver.received.map(({ socket }) => socket)).size, 32)
  })

  test('with very many open, none is kept for later', async () => {
    const frugal = open({ connectionsKeptMax: 2 })
    const kept: unknown[] = []
    for (let hosts = 0; hosts < 5; hosts += 1) {
      const receiver = await receive((_request, response) => response.end())
      assertAnswered(await frugal.post(receiver.url, MESSAGE), 200)
      kept.push(receiver.received[0]?.headers.connection)
    }
    assert.deepEqual(kept, ['keep-alive', 'keep-alive', 'keep-alive', 'close', 'close'])
  })

  test('a post after the service has stopped is no failure of the other side', async () => {
    const receiver = await receive((_request, response) => response.end())
    const closed = createOutbound({ allowed: { loopback: true, networks: [] } })
    assertAnswered(await closed.post(receiver.url, MESSAGE), 200)
    await closed.close()
    await assert.rejects(closed.post(receiver.url, MESSAGE), { code: /UND_ERR_(CLOSED|DESTROYED)/ })
  })
})

describe('failures', () => {
  test('a private network, by address and by name, whatever is allowed besides', async () => {
    const guarded = open({ allowed: { loopback: false, networks: [] } })
    const addresses = ['http://127.0.0.1:9/', 'http://0x7f.1/', 'http://[::ffff:10.0.0.1]/', 'https://localhost:9/']
    for (const address of addresses)
      assertFailed(await guarded.post(address, MESSAGE), 'private_address', /private network/)
    assertFailed(await outbound.post('http://169.254.169.254/', MESSAGE), 'private_address', /private network/)
  })

  test('a name that changes to a private address between two connections', async () => {
    const receiver = await receive((_request, response) => response.setHeader('connection', 'close').end())
    const answers = ['127.0.0.1', '10.0.0.1']
    const changing = open({
      lookup: ((_host: string, _options: unknown, callback: (error: null, found: unknown) => void) =>
        callback(null, [{ address: answers.shift(), family: 4 }])) as unknown as typeof dns.lookup,
    })
    const address = `http://rebind.example:${receiver.port}/`
    assertAnswered(await changing.post(address, MESSAGE), 200)
    assertFailed(await changing.post(address, MESSAGE), 'private_address', /private network/)
    assert.equal(receiver.received.length, 1)
  })

  test('an unknown name, and a port on which nothing listens', async () => {
    assertFailed(await outbound.post('http://hooks.invalid/', MESSAGE), 'name_not_found', /hooks\.invalid/)
    const server = createTcpServer()
    const port = await listen(server)
    server.close()
    await once(server, 'close')
    assertFailed(await outbound.post(`http://127.0.0.1:${port}/`, MESSAGE), 'connection_refused', /refused/)
  })

  test('a server that never answers, or only in part', async () => {
    assertFailed(await impatient.post(await speak(''), MESSAGE), 'answer_timeout', /within 0\.2 seconds/)
    const part = await speak('HTTP/1.1 200 OK\r\nx: ')
    assertFailed(await impatient.post(part, MESSAGE), 'answer_timeout', /did not answer/)
    const informational = await speak('HTTP/1.1 102 Processing\r\n\r\n')
    assertFailed(await impatient.post(informational, MESSAGE), 'answer_timeout', /did not answer/)
  })

  test('a server that accepts no connection, or has none free', async () => {
    const silent = createTcpServer(() => {})
    const address = `https://127.0.0.1:${await listen(silent)}/`
    const hasty = open({ waits: { connectMs: 100 } })
    assertFailed(await hasty.post(address, MESSAGE), 'connect_timeout', /did not accept the connection/)
    const slow = open({ waits: { overallMs: 200 } })
    const occupied = new AbortController()
    const all = Promise.withResolvers<void>()
    let count = 0
    const busy = createTcpServer(() => {
      count += 1
      if (count === 32) all.resolve()
    })
    const url = `http://127.0.0.1:${await listen(busy)}/`
    const others = Array.from({ length: 32 }, () => slow.request(url, { signal: occupied.signal }))
    await all.promise
    assertFailed(await slow.post(url, MESSAGE), 'connect_timeout', /no connection free for 0\.2 seconds/)
    occupied.abort()
    await Promise.allSettled(others)
  })

  test('an answer that is not HTTP, or that has no end of headers', async () => {
    for (const answer of [
      'SSH-2.0-OpenSSH_9.9\r\n',
      'HTTP/1.1 abc\r\n\r\n',
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ])
      assertFailed(await outbound.post(await speak(answer), MESSAGE), 'invalid_answer', /not valid HTTP/)
    const large = await speak(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)
    assertFailed(await outbound.post(large, MESSAGE), 'invalid_answer', /larger than 16 KB/)
  })
})

describe('TLS', () => {
  const root = createAuthority('Test root')
  const intermediate = createAuthority('Test intermediate', root)
  const chained = (certificate: Certificate) => ({ ...certificate, cert: certificate.cert + intermediate.cert })
  const trusted = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...trusted, root.cert])
  after(() => tls.setDefaultCACertificates(trusted))

  async function postTo(certificate: Certificate, host = 'hooks.example'): Promise<PostOutcome> {
    return outbound.post(`https://${host}:${await serveTls(certificate)}/`, MESSAGE)
  }

  test('a certificate that can be traced to a trusted authority', async () => {
    assertAnswered(await postTo(chained(issue(intermediate, ['hooks.example']))), 200, 'fine')
    assertAnswered(await postTo(issue(root, ['127.0.0.1']), '127.0.0.1'), 200, 'fine')
  })

  test('one that cannot: self-signed, from an unknown authority, without its intermediate', async () => {
    assertFailed(await postTo(selfSigned('hooks.example')), 'certificate_self_signed', /self-signed/)
    const unknown = createAuthority('Unknown root')
    const below = createAuthority('Unknown intermediate', unknown)
    const leaf = issue(below, ['hooks.example'])
    const withRoot = { ...leaf, cert: leaf.cert + below.cert + unknown.cert }
    assertFailed(await postTo(withRoot), 'certificate_untrusted', /authority that is not trusted/)
    const withoutRoot = { ...leaf, cert: leaf.cert + below.cert }
    assertFailed(await postTo(withoutRoot), 'certificate_untrusted', /authority that is not trusted/)
    const alone = issue(intermediate, ['hooks.example'])
    assertFailed(await postTo(alone), 'certificate_incomplete', /does not send its intermediate certificate/)
  })

  test('one that has expired, or is not valid yet', async () => {
    const past = { from: new Date('2020-01-01'), until: new Date('2021-01-01') }
    assertFailed(await postTo(issue(root, ['hooks.example'], past)), 'certificate_expired', /has expired/)
    const future = { from: new Date(Date.now() + 86_400_000), until: new Date(Date.now() + 2 * 86_400_000) }
    assertFailed(await postTo(issue(root, ['hooks.example'], future)), 'certificate_not_yet_valid', /not valid yet/)
  })

  test('one for other names, which are said', async () => {
    const reason = /is for other\.example, 10\.1\.1\.1, not for hooks\.example\./
    assertFailed(await postTo(issue(root, ['other.example', '10.1.1.1'])), 'certificate_wrong_name', reason)
    const many = Array.from({ length: 500 }, (_, index) => `host${index}.example`)
    const outcome = await postTo(issue(root, many))
    assertFailed(outcome, 'certificate_wrong_name', /host0\.example, .* and others, not for hooks\.example\./)
    assert.ok((outcome.failure?.reason.length ?? 0) < 300)
  })

  test('a server that speaks no TLS, or only an old version', async () => {
    const plain = await receive((_request, response) => response.end())
    const address = plain.url.replace('http:', 'https:')
    assertFailed(await outbound.post(address, MESSAGE), 'tls_missing', /does not speak TLS/)
    const options = { ...issue(root, ['hooks.example']), maxVersion: 'TLSv1.1', minVersion: 'TLSv1' } as const
    const old = await listen(createTlsServer({ ...options, ciphers: 'DEFAULT:@SECLEVEL=0' }))
    assertFailed(await outbound.post(`https://hooks.example:${old}/`, MESSAGE), 'tls_failed', /TLS 1\.2 or 1\.3/)
  })

  test('the environment can add an authority, but not turn the check off', async () => {
    const own = createAuthority('Own root')
    const port = await serveTls(issue(own, ['localhost']))
    const folder = await mkdtemp(join(tmpdir(), 'licet-authority-'))
    await writeFile(join(folder, 'own.pem'), own.cert)
    const script = `
      const { createOutbound } = await import(process.argv[1])
      const outbound = createOutbound({ allowed: { loopback: true, networks: [] } })
      const { status, failure } = await outbound.post(process.argv[2], { body: '', headers: {} })
      await outbound.close()
      console.log(status ?? failure.code)`
    const post = async (env: NodeJS.ProcessEnv) => {
      const module = new URL('./outbound.ts', import.meta.url).href
      const args = ['--input-type=module', '--eval', script, module, `https://localhost:${port}/`]
      return (await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })).stdout.trim()
    }
    const outcomes = await Promise.all([
      post({ NODE_EXTRA_CA_CERTS: join(folder, 'own.pem') }),
      post({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
    ])
    await rm(folder, { recursive: true })
    assert.deepEqual(outcomes, ['200', 'certificate_incomplete'])
  })
})
