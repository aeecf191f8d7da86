import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { aProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'

const service = useService({ connections: { perAddressMax: 1000, totalMax: 1000, stalledMs: 300 } })

const STALLED = 20
const HELD_BYTES_MAX = 512 * 1024

async function scriptPath(): Promise<string> {
  const page = await (await fetch(`${service.url}/docs`)).text()
  const [, path = ''] = /src="(\/docs\/scalar-[0-9a-f]{16}\.js)"/.exec(page) ?? []
  assert.notEqual(path, '')
  return path
}

/** Sends requests and reads none of the answers; resolves with the service's ends when all requests have arrived. */
async function askAndReadNothing(path: string, count: number, headers = ''): Promise<Socket[]> {
  const { port } = new URL(service.url)
  const { server } = service.app
  const accepted: Socket[] = []
  for (let index = 0; index < count; index += 1) {
    const asked = once(server, 'request')
    const client = connect(Number(port), '127.0.0.1').pause()
    client.on('error', () => {})
    client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`)
    const [{ socket }] = await asked
    accepted.push(socket)
    socket.once('close', () => client.destroy())
  }
  return accepted
}

/** The most bytes that wait for a client, until every connection is closed. */
async function heldUntilClosed(sockets: Socket[]): Promise<number> {
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, ...sockets.map(({ writableLength }) => writableLength))
  }, 10)
  const open = sockets.filter(({ destroyed }) => !destroyed)
  await Promise.all(open.map((socket) => once(socket, 'close', { signal: AbortSignal.timeout(10_000) })))
  clearInterval(watching)
  return most
}

describe('the script of the reference page', () => {
  test('is small, cached for ever by its name, and the same in every encoding', async () => {
    const path = await scriptPath()
    const read = async (encoding: string) => {
      const answer = await request(`${service.url}${path}`, { headers: { 'accept-encoding': encoding } })
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(answer.headers.vary, 'accept-encoding')
      const bytes = Buffer.from(await answer.body.arrayBuffer())
      assert.equal(Number(answer.headers['content-length']), bytes.length)
      return { encoding: answer.headers['content-encoding'], bytes }
    }
    const [br, gzip, plain, refused] = await Promise.all(['gzip, br', 'gzip', '', 'br;q=0, gzip;q=0.0'].map(read))
    assert.deepEqual(
      [br?.encoding, gzip?.encoding, plain?.encoding, refused?.encoding],
      ['br', 'gzip', undefined, undefined],
    )
    assert.ok(br!.bytes.length < 1_500_000, String(br?.bytes.length))
    assert.ok(brotliDecompressSync(br!.bytes).equals(plain!.bytes))
    assert.ok(gunzipSync(gzip!.bytes).equals(plain!.bytes))
  })

  test('is not held in memory for clients that do not read it, and they lose their connections', async () => {
    const path = await scriptPath()
    const held = await heldUntilClosed(await askAndReadNothing(path, STALLED))
    assert.ok(held < HELD_BYTES_MAX, `${held} bytes`)
  })
})

describe('a list of megabytes', () => {
  test('is not held in memory for clients that do not read it, and they lose their connections', async () => {
    const shop = await service.openShop()
    const description = 'x'.repeat(60_000)
    for (let index = 0; index < 300; index += 1) await aProduct(shop, { locales: [{ language_id: 'en', description }] })
    const headers = `Authorization: Bearer ${shop.token}\r\n`
    const sockets = await askAndReadNothing('/api/products.json', 3, headers)
    const held = await heldUntilClosed(sockets)
    // One batch of the list at most.
    assert.ok(held < 8 * 1_048_576, `${held} bytes`)
  })
})

test('the page may run its own scripts only, and cannot be framed', async () => {
  for (const path of ['/docs', '/docs/']) {
    const answer = await fetch(`${service.url}${path}`)
    assert.equal(answer.status, 200)
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; script-src 'self';/)
    assert.match(policy, /frame-ancestors 'none'; base-uri 'none'$/)
    assert.doesNotMatch(policy.replace("style-src 'unsafe-inline'", ''), /unsafe|\*|https?:/)
    assert.equal(answer.headers.get('x-frame-options'), 'DENY')
    const text = await answer.text()
    assert.doesNotMatch(text, /<script>|<script (?!src="\/docs\/)/)
  }
})

test('the page keeps the token, asks for every scope, and knows the app that readers sign in with', async () => {
  const script = async () => {
    const page = await (await fetch(`${service.url}/docs`)).text()
    const [, path] = /src="(\/docs\/start-[0-9a-f]{16}\.js)"/.exec(page) ?? []
    return (await fetch(`${service.url}${path}`)).text()
  }
  const without = await script()
  assert.match(without, /"persistAuth":true/)
  assert.match(without, /"selectedScopes":\["products",/)
  assert.doesNotMatch(without, /x-scalar-client-id/)
  service.app.referenceClientId = 'abc'
  assert.match(await script(), /"x-scalar-client-id":"abc"/)
})

test('the page sends no filter that the reader has not chosen', async () => {
  const { body: document } = await service.call('GET', '/openapi.json')
  const operations: { get?: { parameters?: Parameter[] } }[] = Object.values(document.paths)
  const parameters = operations.flatMap(({ get }) => get?.parameters ?? [])
  const chosen = parameters.filter(({ in: place, required, schema }) => place === 'query' && !required && schema.enum)
  assert.ok(chosen.length > 5, String(chosen.length))
  for (const { name, examples, example } of chosen)
    assert.deepEqual([examples?.default?.['x-disabled'], example], [true, undefined], name)
})

type Parameter = {
  name: string
  in: string
  required?: boolean
  schema: { enum?: unknown[] }
  example?: unknown
  examples?: { default?: { 'x-disabled'?: boolean } }
}
