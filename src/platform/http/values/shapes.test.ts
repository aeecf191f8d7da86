import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { fetchHeld } from '#test/contract.ts'
import { useService } from '#test/harness.ts'
import { assertReason } from '#test/reasons.ts'

const service = useService()

/** Sends bytes as they are and answers what comes back until the service hangs up. */
async function sendRaw(
  bytes: string | Buffer,
): Promise<{ status: number; headers: string; body: Record<string, unknown> }> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  const [headers = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: Number(headers.split(' ')[1]), headers, body: JSON.parse(body) }
}

describe('whatever comes in is answered in one shape', () => {
  for (const [what, bytes, status, code] of [
    ['bytes that are no request', 'NONSENSE\r\n\r\n', 400, 'malformed'],
    ['headers of 20 KB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'too_large'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'malformed',
    ],
  ] as const) {
    test(`${what}: ${status}`, async () => {
      const answer = await sendRaw(bytes)
      assert.equal(answer.status, status)
      assert.equal(answer.body.code, code)
      assert.equal(answer.body.error_code, status)
      assertReason({ ...answer, text: JSON.stringify(answer.body) })
      assert.match(answer.headers, new RegExp(`X-Request-Id: ${answer.body.request_id}`))
    })
  }

  for (const [path, status] of [
    ['/api/products/%zz.json', 400],
    ['/api/products/%ff.json', 400],
    [`/api/products/${'1'.repeat(3000)}.json`, 414],
    ['/docs/nothing', 404],
  ] as const) {
    test(`${path.slice(0, 40)}: ${status}`, async () => {
      const shop = await service.openShop()
      const answer = await shop.get(path)
      assert.equal(answer.status, status)
      assert.equal(answer.body.error_code, status)
      assert.equal(answer.body.request_id, answer.headers.get('x-request-id'))
      assert.match(answer.body.error, /\.$/)
    })
  }
})

describe('a body', () => {
  const body = (bytes: Buffer, headers: Record<string, string>) => async (token: string) => {
    const response = await fetchHeld(`${service.url}/api/products.json`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...headers },
      body: new Uint8Array(bytes),
    })
    return { status: response.status, body: (await response.json()) as { code?: string } }
  }
  const json = Buffer.from('{"product":{"product_type":1,"title":"Grün"}}')
  const type = { 'content-type': 'application/json' }

  for (const [what, send, status] of [
    ['in UTF-8', body(json, { 'content-type': 'application/json; charset=UTF-8' }), 201],
    ['that is not UTF-8', body(Buffer.from(json.toString(), 'latin1'), type), 400],
    ['in another charset', body(json, { 'content-type': 'application/json; charset=latin1' }), 415],
    ['that is packed', body(json, { ...type, 'content-encoding': 'gzip' }), 415],
  ] as const) {
    test(`${what}: ${status}`, async () => {
      const { token } = await service.openShop()
      assert.equal((await send(token)).status, status)
    })
  }

  test('with a title of blanks is refused', async () => {
    const shop = await service.openShop()
    const product = await shop.post('/api/products.json', { product: { product_type: 1, title: '  ' } })
    const category = await shop.post('/api/categories.json', { category: { title: '  ' } })
    assert.deepEqual([product.status, category.status], [422, 422])
    assert.deepEqual(product.body.errors, { title: ["can't be blank"] })
  })
})

test('of twenty products with one product_id at once, one is made and nineteen are told that it is taken', async () => {
  const shop = await service.openShop()
  const product = { product_type: 1, title: 'One', product_id: '0001-26ED-EA4F-AA32' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => shop.post('/api/products.json', { product })))
  const refused = answers.filter(({ status }) => status !== 201)
  assert.equal(refused.length, 19)
  for (const { status, body } of refused) {
    assert.equal(status, 422)
    assert.deepEqual(body.errors, { product_id: ['is taken'] })
  }
})
