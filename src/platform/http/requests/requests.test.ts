import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { useService } from '#test/harness.ts'

const service = useService({ bodyLimitBytes: 1_048_576 })
const film = { product: { product_type: 1, title: 'Film' } }

/** Sends bytes as they are, and reads what comes until the other side closes. */
async function raw(lines: string[], body = ''): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.write(`${[...lines, 'Host: a', 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)
  return text(socket)
}

function assertProblem(answer: { status: number; body: Record<string, unknown>; headers: Headers }, status: number) {
  assert.equal(answer.status, status)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(answer.body.error_code, status)
  assert.match(String(answer.body.error), /^[^\n]{5,}$/)
  assert.match(String(answer.body.code), /^[a-z_]+$/)
  assert.equal(answer.body.request_id, answer.headers.get('x-request-id'))
}

describe('an error', () => {
  test('has one shape, whatever its status', async () => {
    const shop = await service.openShop()
    const json = { 'content-type': 'application/json' }
    assertProblem(await shop.post('/api/products.json', '{"product":'), 400)
    assertProblem(await shop.post('/api/products.json', '[]'), 400)
    assertProblem(await shop.post('/api/products.json', '{}'), 400)
    assertProblem(await shop.post('/api/products.json', '', json), 400)
    assertProblem(await service.call('GET', '/api/products.json'), 401)
    assertProblem(await (await shop.withScopes('orders')).get('/api/products.json'), 403)
    assertProblem(await shop.get('/api/products/999999.json'), 404)
    assertProblem(await shop.get('/api/nothing.json'), 404)
    assertProblem(await shop.post('/api/products.json', `{"a":"${'x'.repeat(1_100_000)}"}`), 413)
    assertProblem(await shop.post('/api/products.json', 'a=1', { 'content-type': 'text/plain' }), 415)
    assertProblem(await shop.post('/api/products.json', { product: {} }), 422)
    assertProblem(await shop.get('/api/products.json?limit=0'), 422)
  })

  test('tells what is wrong with each field, for people and for programs', async () => {
    const shop = await service.openShop()
    const product = { title: 'x'.repeat(300), product_type: 'film' }
    const { status, body } = await shop.post('/api/products.json', { product })
    assert.equal(status, 422)
    const { product_type, title } = body.field_errors
    assert.equal(product_type[0].reason, 'field_wrong_type')
    assert.equal(title[0].reason, 'field_too_long')
    const texts = Object.entries<{ message: string }[]>(body.field_errors).map(([path, faults]) => [
      path,
      faults.map(({ message }) => message),
    ])
    assert.deepEqual(Object.fromEntries(texts), body.errors)
    assert.deepEqual((await shop.get('/api/products/9.json')).body.field_errors, undefined)
  })

  test('never shows what it is made of', async () => {
    const shop = await service.openShop()
    const { body } = await shop.post('/api/products.json', { product: { product_type: 1, title: 'a\u0000b' } })
    assert.ok(!/postgres|invalid byte|stack|at \//i.test(JSON.stringify(body)))
  })
})

describe('X-Request-Id', () => {
  test('is kept if it is short and plain, and replaced if not', async () => {
    const id = async (given?: string) =>
      (
        await service.call('GET', '/health', { headers: given === undefined ? {} : { 'x-request-id': given } })
      ).headers.get('x-request-id')
    assert.equal(await id('order-42_A.b'), 'order-42_A.b')
    for (const given of [undefined, 'with blank', 'x'.repeat(65), '<script>', ''])
      assert.match((await id(given)) ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]+$/)
    const refused = await service.call('GET', '/api/products.json', { headers: { 'x-request-id': 'mine' } })
    assert.equal(refused.body.request_id, 'mine')
  })
})

describe('a body', () => {
  test('cannot reach prototypes', async () => {
    const shop = await service.openShop()
    const sent =
      '{"product":{"product_type":1,"title":"A","__proto__":{"title":"B","polluted":1},"constructor":{"prototype":{"polluted":1}}}}'
    const { status, body } = await shop.post('/api/products.json', sent)
    assert.deepEqual([status, body.product.title], [201, 'A'])
    assert.equal(({} as { polluted?: number }).polluted, undefined)
  })

  test('may be missing where none is needed, though its type was announced', async () => {
    const shop = await service.openShop()
    const { body } = await shop.post('/api/products.json', film)
    const path = `/api/products/${body.product.id}.json`
    const answer = await service.call('DELETE', path, {
      token: shop.token,
      headers: { 'content-type': 'application/json' },
    })
    assert.deepEqual([answer.status, answer.text], [200, '{}'])
  })
})

describe('odd requests', () => {
  test('with huge headers or addresses are refused by status, not by silence', async () => {
    assert.match(await raw(['GET /health HTTP/1.1', `X: ${'x'.repeat(20_000)}`]), /^HTTP\/1\.1 431 /)
    assert.match(await raw([`GET /health?${'x'.repeat(20_000)} HTTP/1.1`]), /^HTTP\/1\.1 4(14|31) /)
    const shop = await service.openShop()
    const { status } = await shop.get(`/api/products.json?limit=1&fields=${'a,'.repeat(3000)}`)
    assert.equal(status, 422)
  })

  test('with other methods', async () => {
    const shop = await service.openShop()
    const { body } = await shop.post('/api/products.json', film)
    const path = `/api/products/${body.product.id}.json`
    const head = await service.call('HEAD', path, { token: shop.token })
    const get = await shop.get(path)
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal(head.headers.get('etag'), get.headers.get('etag'))
    assert.equal((await service.call('OPTIONS', path, { token: shop.token })).status, 204)
    assert.equal((await service.call('PATCH', path, { token: shop.token, body: film })).status, 405)
    assert.match(await raw([`BREW ${path} HTTP/1.1`]), /^HTTP\/1\.1 (400|404|405) /)
    assert.match(await raw(['not http']), /^HTTP\/1\.1 400 /)
  })

  test('with a slash at the end find nothing', async () => {
    const shop = await service.openShop()
    assert.equal((await shop.get('/api/products.json/')).status, 404)
  })
})

describe('ETag', () => {
  test('saves sending what has not changed, and only that', async () => {
    const shop = await service.openShop()
    const { body } = await shop.post('/api/products.json', film)
    const path = `/api/products/${body.product.id}.json`
    const etag = (await shop.get(path)).headers.get('etag') ?? ''
    assert.match(etag, /^W\/"[\w-]+"$/)
    const ask = (value: string, of = path) => shop.get(of, undefined, { 'if-none-match': value })
    for (const value of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const same = await ask(value)
      assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', etag], value)
    }
    assert.equal((await ask('"other"')).status, 200)
    assert.equal((await ask(etag, `${path}?fields=id`)).status, 200)
    await shop.put(path, { product: { title: 'Changed' } })
    assert.equal((await ask(etag)).status, 200)
  })
})

describe('compression', () => {
  test('follows what the client takes, also for lists that are streamed', async () => {
    const shop = await service.openShop()
    for (let index = 0; index < 3; index += 1)
      await Promise.all(
        Array.from({ length: 100 }, () =>
          shop.post('/api/products.json', { product: { product_type: 1, title: 'T'.repeat(200) } }),
        ),
      )
    const ask = async (path: string, encoding: string) => {
      const { headers, body } = await request(`${service.url}${path}`, {
        headers: { authorization: `Bearer ${shop.token}`, 'accept-encoding': encoding },
      })
      return { encoding: headers['content-encoding'], vary: headers.vary, bytes: Buffer.from(await body.arrayBuffer()) }
    }
    for (const path of ['/api/products.json', '/api/products.json?limit=20']) {
      const plain = await ask(path, 'identity')
      assert.equal(plain.encoding, undefined)
      const brotli = await ask(path, 'br')
      assert.equal(brotli.encoding, 'br')
      assert.deepEqual(brotliDecompressSync(brotli.bytes), plain.bytes)
      const gzip = await ask(path, 'gzip')
      assert.equal(gzip.encoding, 'gzip')
      assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes)
      assert.match(String(gzip.vary), /accept-encoding/i)
    }
    const { products } = JSON.parse((await ask('/api/products.json', 'identity')).bytes.toString())
    assert.equal(products.length, 300)
  })
})

describe('an answer that is made for one client', () => {
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0, br;q=0, *', undefined],
    ['GZIP; q=0.0 , *;q=0.5, br;q=0', undefined],
    ['gzip, *;q=0', 'gzip'],
    ['identity', undefined],
  ] as const)
    test(`is sent as ${encoding ?? 'it is'} to a client that accepts ${accepted}`, async () => {
      for (const path of ['/sign-in', '/openapi.json']) {
        const { statusCode, headers, body } = await request(`${service.url}${path}`, {
          headers: { 'accept-encoding': accepted },
        })
        await body.dump()
        assert.deepEqual([statusCode, headers['content-encoding']], [200, encoding], path)
      }
    })
})

describe('the log', () => {
  test('holds no secret of any request', async () => {
    const shop = await service.openShop()
    await service.call('GET', `/api/products.json?access_token=${shop.token}&password=hunter2hunter2`)
    await service.call('GET', '/api/products.json?password=hunter2hunter2&access_token=not-a-token-but-secret')
    await service.call('POST', '/token?refresh_token=secret-refresh-token&client_secret=secret-of-client', { body: {} })
    await shop.post('/api/products.json', { product: { product_type: 1, title: '', comment: 'hunter2hunter2' } })
    await shop.get('/api/customers/login/1/secret-login-token')
    const lines = service.log.join('')
    assert.match(lines, /"msg":"request"/)
    for (const secret of [shop.token, 'hunter2', 'not-a-token', 'secret-refresh', 'secret-of', 'secret-login'])
      assert.ok(!lines.includes(secret), secret)
  })
})

describe('a request line with a whole address', () => {
  test('means its path, and its host is not believed', async () => {
    const shop = await service.openShop()
    for (let made = 0; made < 2; made += 1) assert.equal((await shop.post('/api/products.json', film)).status, 201)
    const bearer = `Authorization: Bearer ${shop.token}`
    const list = await raw(['GET http://evil.test/api/products.json?limit=1 HTTP/1.1', bearer])
    assert.match(list, /^HTTP\/1\.1 200 /)
    const [link = ''] = /^link: .*$/im.exec(list) ?? []
    assert.ok(link.includes(`<${service.url}/api/products.json?`), list)
    assert.match(await raw(['GET http://evil.test/api2/products.json HTTP/1.1', bearer]), /^HTTP\/1\.1 200 /)
    for (const target of ['http://evil.test', 'HTTPS://evil.test?a=1', 'http://evil.test/api/nothing.json']) {
      const answer = await raw([`GET ${target} HTTP/1.1`, bearer])
      assert.match(answer, /^HTTP\/1\.1 [34]\d\d /)
      assert.doesNotMatch(answer, /evil/)
    }
  })
})

describe('an asterisk instead of an address', () => {
  test('is no page, neither of a shop nor of the service', async () => {
    const shop = await service.openShop()
    const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
    for (const host of [`${id}.localhost`, 'localhost'])
      for (const method of ['GET', 'HEAD', 'POST'])
        assert.match(await raw([`${method} * HTTP/1.1`, `Host: ${host}`]), /^HTTP\/1\.1 40[45] /, `${method} ${host}`)
  })
})
