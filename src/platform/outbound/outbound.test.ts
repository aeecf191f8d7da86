import assert from 'node:assert/strict'
import type dns from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { isPublicAddress } from './addresses.ts'
import { type Download, download } from './download.ts'
import { createOutbound, type Outbound } from './outbound.ts'

const LIMITS = { bytesMax: 10 * 1_048_576, timeoutMs: 10_000, redirectsMax: 3 }

const servers: Server[] = []
const outbounds: Outbound[] = []

after(async () => {
  for (const server of servers) server.close().closeAllConnections()
  for (const outbound of outbounds) await outbound.close()
})

async function serve(listener: RequestListener): Promise<{ url: string; port: number; hits: string[] }> {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(request.url ?? '')
    listener(request, response)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, hits }
}

function open(options: Parameters<typeof createOutbound>[0]): Outbound {
  const outbound = createOutbound(options)
  outbounds.push(outbound)
  return outbound
}

const guarded = open({})
const unguarded = open({ allowed: { loopback: true, networks: [] } })

/** Guarded like the real one, but for 127.0.0.1, which stands for the open internet. */
const internet = {
  isPublic: (address: string) => address === '127.0.0.1' || isPublicAddress(address),
}

/** Names that resolve as a test says, one answer after the other. */
function names(answers: Record<string, string[][]>): typeof dns.lookup {
  return ((host: string, _options: unknown, callback: (error: Error | null, addresses: unknown) => void) => {
    const addresses = answers[host]?.shift() ?? []
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }) as unknown as typeof dns.lookup
}

function assertRefused(outcome: Download, reason: RegExp, permanent: boolean): void {
  assert.equal(outcome.kind, 'refused')
  assert.match(outcome.reason, reason)
  assert.equal(outcome.permanent, permanent, outcome.reason)
}

const PRIVATE = /private network/

const NOT_PUBLIC = {
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.255', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  linkLocal: ['169.254.0.1', '169.254.169.254', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  carrierGradeNat: ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  broadcast: ['255.255.255.255'],
  reserved: [
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '192.88.99.1',
  ],
  uniqueLocal: ['fc00::1', 'fd12:3456::1'],
  siteLocal: ['fec0::1'],
  mappedIpv4: ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8'],
  compatibleIpv4: ['::127.0.0.1', '::10.0.0.1'],
  translatedIpv4: ['::ffff:0:127.0.0.1'],
  nat64: ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '64:ff9b:1:7f00:0:100::'],
  sixToFour: ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
  teredo: ['2001::1', '2001:0:7f00:1::'],
  documentation: ['2001:db8::1', '3fff::1'],
  discard: ['100::1'],
  benchmarking: ['2001:2::1'],
  segmentRouting: ['5f00::1'],
  notGivenOut: ['4000::1', '1::1', 'e000::1'],
  noAddress: ['', 'example.com', '1.2.3.4.5', 'g::1'],
}

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '11.0.0.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
]

describe('isPublicAddress', () => {
  for (const [range, addresses] of Object.entries(NOT_PUBLIC)) {
    test(`refuses ${range}`, () => {
      for (const address of addresses) assert.equal(isPublicAddress(address), false, address)
    })
  }

  test('lets the open internet through', () => {
    for (const address of PUBLIC) assert.equal(isPublicAddress(address), true, address)
  })

  test('never lets an IPv4 address through in the clothes of an IPv6 one', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(
        fc.tuple(byte, byte, byte, byte),
        fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:'),
        (bytes, prefix) => {
          assert.equal(isPublicAddress(prefix + bytes.join('.')), false)
        },
      ),
    )
  })
})

describe('the guard', () => {
  test('refuses every literal private address, however it is spelt', async () => {
    const literal = (address: string) => (address.includes(':') ? `[${address}]` : address)
    const ranges = Object.entries(NOT_PUBLIC).filter(([range]) => range !== 'noAddress')
    const plain = ranges.flatMap(([, addresses]) => addresses).filter((address) => !address.includes('%'))
    const hosts = [
      ...plain.map(literal),
      '127.1',
      '0x7f.1',
      '0',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.0.0.1.',
      '①②⑦.⓪.⓪.①',
    ]
    for (const host of hosts) {
      for (const scheme of ['http', 'https'])
        assertRefused(await download(guarded, `${scheme}://${host}:9/`, LIMITS), PRIVATE, true)
    }
  })

  test('refuses a name that resolves to a private address, and sends nothing to it', async () => {
    const server = await serve((_request, response) => response.end('secret'))
    assertRefused(await download(guarded, `http://localhost:${server.port}/`, LIMITS), PRIVATE, true)
    assert.deepEqual(server.hits, [])
  })

  test('refuses a name of which one address among several is private', async () => {
    const outbound = open({
      ...internet,
      lookup: names({ 'mixed.example': [['127.0.0.1', '10.0.0.1']], 'void.example': [] }),
    })
    assertRefused(await download(outbound, 'http://mixed.example:9/', LIMITS), PRIVATE, true)
    assertRefused(await download(outbound, 'http://void.example:9/', LIMITS), PRIVATE, true)
  })

  test('connects to the address that it checked: a name that changes its mind is asked once a connection', async () => {
    const server = await serve((_request, response) => response.setHeader('connection', 'close').end('picture'))
    const outbound = open({ ...internet, lookup: names({ 'rebind.example': [['127.0.0.1'], ['169.254.169.254']] }) })
    const url = `http://rebind.example:${server.port}/`
    assert.equal((await download(outbound, url, LIMITS)).kind, 'ok')
    assertRefused(await download(outbound, url, LIMITS), PRIVATE, true)
    assert.equal(server.hits.length, 1)
  })

  test('refuses a redirect into a private network, on any hop', async () => {
    const targets = [
      'http://127.0.0.2/',
      'http://[::1]/',
      'http://169.254.169.254/latest/meta-data',
      '//10.0.0.1/',
      'http://inside.example/',
    ]
    const server = await serve((request, response) => {
      const target = /^\/hop(\d)$/.exec(request.url ?? '')
        ? targets[Number(request.url?.at(-1))]
        : `/hop${request.url?.at(-1)}`
      response.writeHead(302, { location: target }).end()
    })
    const outbound = open({ ...internet, lookup: names({ 'inside.example': [['10.0.0.1']] }) })
    for (const index of targets.keys())
      assertRefused(await download(outbound, `${server.url}/start${index}`, LIMITS), PRIVATE, true)
  })

  test('reaches the machine itself when the operator allows it, and no private network with it', async () => {
    const server = await serve((_request, response) => response.end('picture'))
    const outcome = await download(unguarded, `http://localhost:${server.port}/`, LIMITS)
    assert.equal(outcome.kind, 'ok')
    assert.equal(outcome.bytes.toString(), 'picture')
    const { loopback, mappedIpv4, ...others } = NOT_PUBLIC
    for (const address of Object.values(others)
      .flat()
      .filter((each) => isIP(each) !== 0 && !each.includes('%'))) {
      const host = address.includes(':') ? `[${address}]` : address
      assertRefused(await download(unguarded, `http://${host}:9/`, LIMITS), PRIVATE, true)
    }
  })

  test('reaches the networks that the operator names, and no others', async () => {
    const server = await serve((_request, response) => response.end('picture'))
    const outbound = open({ allowed: { loopback: false, networks: ['127.0.0.0/30', 'fd12::/16'] } })
    assert.equal((await download(outbound, `http://127.0.0.1:${server.port}/`, LIMITS)).kind, 'ok')
    for (const host of ['127.0.0.4', '10.0.0.1', '169.254.169.254', '[::1]', '[fd13::1]'])
      assertRefused(await download(outbound, `http://${host}:9/`, LIMITS), PRIVATE, true)
    const outcome = await download(outbound, 'http://[fd12::1]:9/', { ...LIMITS, timeoutMs: 300 })
    assert.ok(outcome.kind === 'refused' && !PRIVATE.test(outcome.reason), 'it tries to connect')
  })
})

describe('download', () => {
  test('answers the bytes and the content type, and asks for no compression', async () => {
    const server = await serve((request, response) => {
      response.setHeader('content-type', 'text/plain').end(String(request.headers['accept-encoding']))
    })
    const outcome = await download(unguarded, `${server.url}/a`, LIMITS)
    assert.deepEqual(outcome, { kind: 'ok', bytes: Buffer.from('identity'), contentType: 'text/plain' })
  })

  test('speaks http and https only, on redirects too', async () => {
    const schemes = [
      'file:///etc/passwd',
      'ftp://example.com/a',
      'data:image/png;base64,AA',
      'gopher://example.com/',
      'javascript:1',
      'nonsense',
      '',
    ]
    const server = await serve((_request, response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    )
    for (const url of [...schemes, server.url])
      assertRefused(await download(unguarded, url, LIMITS), /http:\/\/ or https:\/\//, true)
  })

  test('follows three redirects and not a fourth', async () => {
    const server = await serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('there')
      else response.writeHead(307, { location: `/${left - 1}` }).end('ignored')
    })
    assert.equal((await download(unguarded, `${server.url}/3`, LIMITS)).kind, 'ok')
    assertRefused(await download(unguarded, `${server.url}/4`, LIMITS), /redirects more than 3 times/, true)
  })

  test('gives up on a redirect loop, and on a redirect to nowhere', async () => {
    const loop = await serve((_request, response) => response.writeHead(301, { location: '/' }).end())
    assertRefused(await download(unguarded, loop.url, LIMITS), /redirects more than 3 times/, true)
    assert.equal(loop.hits.length, 4)
    const nowhere = await serve((_request, response) => response.writeHead(302).end())
    assertRefused(await download(unguarded, nowhere.url, LIMITS), /redirects to nowhere/, true)
  })

  test('refuses a body that says it is too large without reading it', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-length': 11 * 1_048_576 }).flushHeaders(),
    )
    assertRefused(await download(unguarded, server.url, LIMITS), /larger than 10 MiB/, true)
  })

  test('takes a body of exactly the limit, and refuses one byte more', async () => {
    const server = await serve((request, response) => {
      response.write('x')
      response.end(Buffer.alloc(Number(request.url?.slice(1)) - 1))
    })
    assert.equal((await download(unguarded, `${server.url}/100000`, { ...LIMITS, bytesMax: 100_000 })).kind, 'ok')
    assertRefused(
      await download(unguarded, `${server.url}/100001`, { ...LIMITS, bytesMax: 100_000 }),
      /larger than/,
      true,
    )
  })

  test('cuts off an endless body that names no length', async () => {
    const cut = Promise.withResolvers<void>()
    const server = await serve((_request, response) => {
      const pour = () => {
        while (response.write(Buffer.alloc(65_536)));
        response.once('drain', pour)
      }
      response.once('close', cut.resolve)
      pour()
    })
    assertRefused(await download(unguarded, server.url, LIMITS), /larger than 10 MiB/, true)
    await cut.promise
  })

  test('a body that comes drop by drop runs out of time, however lively it is', async () => {
    const server = await serve((_request, response) => {
      const drip = setInterval(() => response.write('.'), 5)
      response.once('close', () => clearInterval(drip))
    })
    assertRefused(
      await download(unguarded, server.url, { ...LIMITS, timeoutMs: 300 }),
      /longer than 0.3 seconds/,
      false,
    )
  })

  test('a server that never answers runs out of time', async () => {
    const server = await serve(() => {})
    assertRefused(
      await download(unguarded, server.url, { ...LIMITS, timeoutMs: 300 }),
      /longer than 0.3 seconds/,
      false,
    )
  })

  test('does not unpack what comes compressed unasked', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1_048_576))
    const server = await serve((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb))
    assertRefused(await download(unguarded, server.url, LIMITS), /compressed/, true)
  })

  for (const [status, permanent] of [
    [404, true],
    [410, true],
    [403, true],
    [204, true],
    [304, true],
    [429, false],
    [408, false],
    [500, false],
    [503, false],
  ] as const) {
    test(`status ${status} is ${permanent ? 'final' : 'worth another try'}`, async () => {
      const server = await serve((_request, response) => response.writeHead(status).end())
      assertRefused(await download(unguarded, server.url, LIMITS), new RegExp(`answered ${status} `), permanent)
    })
  }

  test('a connection that breaks, a closed port and an unknown name are worth another try', async () => {
    const broken = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half', () => response.destroy())
    })
    assertRefused(await download(unguarded, broken.url, LIMITS), /connection to the server broke/, false)
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    closed.close()
    await once(closed, 'close')
    assertRefused(await download(unguarded, `http://127.0.0.1:${port}/`, LIMITS), /could not be reached/, false)
    assertRefused(
      await download(unguarded, 'http://nowhere.invalid/', LIMITS),
      /name of the server|could not be reached/,
      false,
    )
  })
})
