import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { sharedPaths } from './cors.ts'

const EXPOSED = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Total-Count',
  'WWW-Authenticate',
  'X-Request-Id',
]
const origin = { origin: 'https://other.example' }

describe('answers to a page of another origin', () => {
  const service = useService({ bodyLimitBytes: 1000, rateLimit: { burst: 8, perSecond: 0.01 } })

  test('can be read with their headers, whatever their status', async () => {
    const shop = await service.openShop()
    const { token } = shop
    const film = { product: { product_type: 1, title: 'Film' } }
    const answers = [
      await service.call('GET', '/api/products.json', { token, headers: origin }),
      await service.call('POST', '/api/products.json', { token, headers: origin, body: film }),
      await service.call('GET', '/api/products.json', { headers: origin }),
      await service.call('GET', '/api/products/4711.json', { token, headers: origin }),
      await service.call('GET', '/api/nothing.json', { token, headers: origin }),
      await service.call('GET', '/api/products/%zz.json', { token, headers: origin }),
      await service.call('PATCH', '/api/products.json', { token, headers: origin }),
      await service.call('POST', '/api/products.json', { token, headers: origin, body: 'x'.repeat(2000) }),
      await service.call('POST', '/api/products.json', { token, headers: origin, body: { product: {} } }),
    ]
    for (let asked = 0; asked < 8; asked += 1)
      answers.push(await service.call('GET', '/api/products.json', { token, headers: origin }))
    const statuses = new Set(answers.map(({ status }) => status))
    assert.deepEqual([...statuses].sort(), [200, 201, 400, 401, 404, 405, 413, 422, 429])
    for (const { status, headers } of answers) {
      assert.equal(headers.get('access-control-allow-origin'), '*', String(status))
      assert.deepEqual(headers.get('access-control-expose-headers')?.split(', '), EXPOSED)
    }
  })

  test('are the same for a client that is no page, so that a cache can keep them', async () => {
    const { headers } = await service.call('GET', '/openapi.json')
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(
      (await service.call('GET', '/health', { headers: origin })).headers.get('access-control-allow-origin'),
      null,
    )
  })
})

test('a shared path is one of the paths, or lies below one', () => {
  const isShared = sharedPaths(['/api', '/token'])
  for (const url of ['/api', '/api/', '/api/x.json', '/api?x', '/token', '/token?x=1']) assert.ok(isShared(url), url)
  for (const url of ['/', '/apis', '/api2/x', '/tokens', '/x/api/', '']) assert.ok(!isShared(url), url)
})
