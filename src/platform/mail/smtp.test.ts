import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type LookupFunction, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { after, before, beforeEach, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { selfSigned } from '#test/certificate.ts'
import { useMailServer } from '#test/mail-server.ts'
import { type MailSettings, parseMailServer } from './settings.ts'
import { type Message, probe, submit } from './smtp.ts'

const HOST = 'mail.example.com'
const login = { user: 'shop@example.com', password: 'p@ss:w/örd' }
const trusted = selfSigned(HOST)
const stranger = selfSigned(HOST)

const plain = useMailServer()
const closed = useMailServer({ login })
const upgraded = useMailServer({ tls: { ...trusted, from: 'starttls' }, login })
const encrypted = useMailServer({ tls: { ...trusted, from: 'start' }, login })
const unvouched = useMailServer({ tls: { ...stranger, from: 'starttls' }, login })
const servers = [plain, closed, upgraded, encrypted, unvouched]

/** Every name is this machine, which then counts as another one: the name is what a certificate is held to. */
const lookup = ((_host: string, { all }: { all?: boolean }, callback: (...answer: unknown[]) => void) =>
  all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4)) as LookupFunction

before(() => setDefaultCACertificates([...getCACertificates('default'), trusted.cert]))

beforeEach(() => {
  for (const { received, signIns } of servers) received.length = signIns.length = 0
})

const message: Message = {
  messageId: '<licet.1000.1@example.com>',
  date: new Date(),
  to: 'jane@example.com',
  senderName: null,
  replyTo: null,
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  unsubscribeUrl: null,
}

function settings(url: string): MailSettings {
  const server = parseMailServer(url)
  assert.ok(server, url)
  return { server, from: { name: '', address: 'shop@example.com' } }
}

const elsewhere = (url: string) => settings(url.replace('127.0.0.1', HOST))

describe('a server on another machine', () => {
  test('gets the password through TLS, by STARTTLS or from the first byte', async () => {
    for (const server of [upgraded, encrypted]) {
      assert.deepEqual(await submit(elsewhere(server.url), message, { lookup }), { kind: 'accepted' })
      assert.deepEqual(
        server.received.map(({ secure, user }) => ({ secure, user })),
        [{ secure: true, user: login.user }],
      )
      assert.equal(await probe(elsewhere(server.url), { lookup }), undefined)
    }
  })

  test('gets no password without TLS', async () => {
    const outcome = await submit(elsewhere(closed.url), message, { lookup })
    assert.equal(outcome.kind, 'unreachable')
    assert.deepEqual([closed.received, closed.signIns], [[], []])
    assert.match((await probe(elsewhere(closed.url), { lookup })) ?? '', /STARTTLS/)
  })

  test('is not believed on the word of its own certificate, or on that of another name', async () => {
    const outcome = await submit(elsewhere(unvouched.url), message, { lookup })
    assert.ok(outcome.kind === 'unreachable')
    assert.match(outcome.reason, /self-signed certificate/)
    const misnamed = settings(upgraded.url.replace('127.0.0.1', 'mail.example.net'))
    const other = await submit(misnamed, message, { lookup })
    assert.ok(other.kind === 'unreachable')
    assert.match(other.reason, /mail\.example\.net/)
    assert.deepEqual(
      [unvouched, upgraded].map(({ signIns }) => signIns),
      [[], []],
    )
  })
})

describe('a server on this machine', () => {
  test('is taken as it is: without TLS, or with a certificate that nobody vouches for', async () => {
    for (const server of [plain, closed, unvouched]) {
      assert.deepEqual(await submit(settings(server.url), message), { kind: 'accepted' })
      assert.equal(server.received.length, 1)
    }
    assert.equal(unvouched.received[0]?.secure, true)
    const byName = settings(plain.url.replace('127.0.0.1', 'localhost'))
    assert.deepEqual(await submit(byName, message), { kind: 'accepted' })
  })
})

describe('a wrong password', () => {
  test('is for the operator to put right: the mail is not given up, and the password goes nowhere', async () => {
    const wrong = settings(closed.url.replace('rd@', 'rd-of-before@'))
    assert.equal(wrong.server.login?.password, 'p@ss:w/örd-of-before')
    const outcome = await submit(wrong, message)
    assert.ok(outcome.kind === 'unreachable')
    assert.match(outcome.reason, /535 no such user shop@example\.com with …$/)
    assert.match((await probe(wrong)) ?? '', /535/)
    // A server that asks for a sign-in which was never set up.
    const anonymous = settings(`smtp://127.0.0.1:${closed.port}`)
    assert.equal((await submit(anonymous, message)).kind, 'unreachable')
  })
})

describe('an address', () => {
  test('may have a domain in any script', async () => {
    assert.deepEqual(await submit(settings(plain.url), { ...message, to: 'jane@bücher.example' }), { kind: 'accepted' })
    assert.match(plain.received[0]?.raw ?? '', /^To: jane@xn--bcher-kva\.example\r$/m)
  })
})

describe('a server that does not answer', () => {
  const sockets = new Set<Socket>()
  const patience = { connectMs: 100, silenceMs: 100, totalMs: 300 }

  /** A server that greets as it is told and then falls silent, or goes on talking for ever. */
  async function mute(greeting: string, chatter = ''): Promise<string> {
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}).resume())
      socket.write(greeting)
      const timer = setInterval(() => chatter !== '' && socket.write(chatter), 20)
      socket.on('close', () => clearInterval(timer))
    })
    server.listen(0, '127.0.0.1').unref()
    await once(server, 'listening')
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** A server that gives these replies in turn, and then a page. */
  async function scripted(replies: readonly string[]): Promise<string> {
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}))
      const next = [...replies]
      const say = () => socket.write(`${next.shift() ?? '<html>We will be back soon.</html>'}\r\n`)
      let isMail = false
      say()
      createInterface({ input: socket }).on('line', (line) => {
        if (isMail && line !== '.') return
        isMail = !isMail && line === 'DATA' && next.length > 0
        say()
      })
    })
    server.listen(0, '127.0.0.1').unref()
    await once(server, 'listening')
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  after(() => {
    for (const socket of sockets) socket.destroy()
  })

  test('is left after a while, wherever it stops', async () => {
    const cases: [string, RegExp][] = [
      [await mute(''), /Greeting never received/],
      [await mute('220 here\r\n'), /Timeout/],
      [await mute('220 here\r\n', '250-more\r\n'), /took longer than 0\.3 seconds/],
      [await mute('hello?\r\n'), /Invalid greeting/],
      [await mute('421 closing\r\n'), /421 closing/],
    ]
    for (const [url, reason] of cases) {
      const outcome = await submit(settings(url), message, { patience })
      assert.ok(outcome.kind === 'unreachable', url)
      assert.match(outcome.reason, reason)
    }
    for (const socket of sockets) if (!socket.destroyed) await once(socket, 'close')
  })

  // A proxy that fails may answer with a page in the middle of a session.
  test('and says something else instead of a reply has refused nothing', async () => {
    const replies = ['220 here', '250 here', '250 sender', '250 recipient', '354 go on', '250 taken']
    for (let good = 1; good < replies.length; good += 1) {
      const outcome = await submit(settings(await scripted(replies.slice(0, good))), message, { patience })
      assert.equal(outcome.kind, 'unreachable', `after ${good} good replies`)
    }
    assert.equal((await submit(settings(await scripted(replies)), message, { patience })).kind, 'accepted')
  })

  test('is left when its name never resolves, and when nobody listens', async () => {
    const never: LookupFunction = () => {}
    const slow = await submit(elsewhere('smtp://127.0.0.1:25'), message, { lookup: never, patience })
    assert.deepEqual(slow, { kind: 'unreachable', reason: 'mail.example.com:25 did not answer within 0.1 seconds' })
    const nobody = await submit(settings('smtp://localhost:9'), message, { patience })
    assert.ok(nobody.kind === 'unreachable')
    assert.match(nobody.reason, /ECONNREFUSED/)
  })
})
