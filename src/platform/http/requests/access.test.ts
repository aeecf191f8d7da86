import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, useService } from '#test/harness.ts'

const service = useService({ rateLimit: { burst: 5, perSecond: 0.001 } })

describe('the access token', () => {
  test('is taken from the header, and from the query where a client can set none', async () => {
    const shop = await service.openShop()
    assert.equal((await shop.get('/api/products/count.json')).status, 200)
    const query = await service.call('GET', `/api/products/count.json?access_token=${shop.token}`)
    assert.equal(query.status, 200)
    // RFC 6750, section 2.3: no shared cache may keep it.
    assert.equal(query.headers.get('cache-control'), 'private')
    const checked = await service.call(
      'GET',
      `/api/customers.json?email=a@example.com&password=x&access_token=${shop.token}`,
    )
    assert.equal(checked.headers.get('cache-control'), 'no-store')
    assert.equal((await shop.get('/api/products/count.json')).headers.get('cache-control'), null)
    const lower = { authorization: `bearer ${shop.token}` }
    assert.equal((await service.call('GET', '/api/products/count.json', { headers: lower })).status, 200)
  })

  test('is missing, wrong or expired: three texts, and a header that says how to do better', async () => {
    const shop = await service.openShop()
    const missing = await service.call('GET', '/api/products.json')
    assert.deepEqual(
      [missing.status, missing.body.error, missing.body.code, missing.headers.get('www-authenticate')],
      [401, 'access_token required', 'unauthorized', 'Bearer realm="licet"'],
    )
    assert.equal(missing.body.reason, 'access_token_required')
    for (const headers of [{ authorization: 'Basic abc' }, { authorization: 'Bearer' }] as const)
      assert.equal((await service.call('GET', '/api/products.json', { headers })).body.error, 'access_token required')
    const wrong = await service.call('GET', '/api/products.json', { token: 'wrong' })
    assert.deepEqual(
      [wrong.status, wrong.body.error, wrong.headers.get('www-authenticate')],
      [
        401,
        'invalid access_token',
        'Bearer realm="licet", error="invalid_token", error_description="invalid access_token"',
      ],
    )
    assert.equal(wrong.body.reason, 'access_token_invalid')
    assert.equal((await shop.get('/api/products.json')).status, 200)
    service.clock.advance(1801)
    const expired = await shop.get('/api/products.json')
    assert.deepEqual(
      [expired.status, expired.body.error, expired.body.reason, expired.headers.get('www-authenticate')],
      [
        401,
        'expired',
        'access_token_expired',
        'Bearer realm="licet", error="invalid_token", error_description="expired"',
      ],
    )
  })

  test('ends within a second of the grant being revoked, also if the clock is set back', async (context) => {
    // The time stands still until the test moves it, so that a busy machine cannot make it pass or fail.
    let elapsedMs = performance.now()
    context.mock.method(performance, 'now', () => elapsedMs)
    const wasAt = Date.now()
    context.mock.timers.enable({ apis: ['Date'], now: wasAt + 3_600_000 })
    const shop = await service.openShop()
    assert.equal((await shop.get('/api/products/count.json')).status, 200)
    context.mock.timers.setTime(wasAt)
    await service.db
      .updateTable('grants')
      .set({ revoked_at: new Date() })
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.equal((await shop.get('/api/products/count.json')).status, 200, 'a caller is remembered for a moment')
    elapsedMs += 1000
    const answer = await shop.get('/api/products/count.json')
    assert.deepEqual([answer.status, answer.body.error], [401, 'invalid access_token'])
  })

  test('without the scope is 403, and the scope is named', async () => {
    const shop = await (await service.openShop()).withScopes('orders', 'themes')
    const answer = await shop.get('/api/products.json')
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.reason],
      [403, 'insufficient_scope', 'scope_missing'],
    )
    assert.match(answer.body.error, /\bproducts\b/)
    assert.match(answer.headers.get('www-authenticate') ?? '', /error="insufficient_scope", scope="products"/)
  })
})

describe('the rate limit', () => {
  test('is told on every answer, and 429 says when to come back', async () => {
    const shop = await service.openShop()
    const answers: Answer[] = []
    for (let index = 0; index < 6; index += 1) answers.push(await shop.get('/api/products/9.json'))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404, 404, 404, 429],
    )
    const told = (name: string) => answers.map(({ headers }) => headers.get(name))
    assert.deepEqual(told('ratelimit-limit'), Array(6).fill('5'))
    assert.deepEqual(told('ratelimit-remaining'), ['4', '3', '2', '1', '0', '0'])
    for (const reset of told('ratelimit-reset')) assert.match(reset ?? '', /^\d+$/)
    const last = answers[5]!
    assert.equal(last.body.code, 'rate_limited')
    assert.equal(last.headers.get('retry-after'), '1000')
    assert.match(last.body.error, /try again in 1000 seconds/)
  })

  test('is told where there is nothing, too', async () => {
    const shop = await service.openShop()
    // A part of a path that is longer than any id is not a path of the service.
    for (const path of [
      '/api/nothing.json',
      `/admin/webhooks/${'x'.repeat(2001)}.json`,
      `/admin/webhooks/${'%3Cb%3E'.repeat(1000)}.json`,
    ])
      assert.equal((await shop.get(path)).headers.get('ratelimit-limit'), '5', path)
  })

  test('is one for each app and company, whatever the token', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const second = await shop.withScopes('products')
    for (let index = 0; index < 5; index += 1) await shop.get('/api/products/9.json')
    assert.equal((await second.get('/api/products/9.json')).status, 429)
    assert.equal((await other.get('/api/products/9.json')).status, 404)
  })

  test('is told and counted for paths that do not exist, if the caller is known', async () => {
    const shop = await service.openShop()
    const remaining = async (method: string, path: string, token?: string) => {
      const { headers } = await service.call(method, path, token === undefined ? {} : { token })
      return headers.get('ratelimit-remaining')
    }
    assert.equal(await remaining('GET', '/api/nothing.json', shop.token), '4')
    assert.equal(await remaining('DELETE', '/api/products/count.json', shop.token), '3', 'a method that a path lacks')
    assert.equal(await remaining('GET', '/api/products/999999.json', shop.token), '2')
    assert.equal(await remaining('GET', `/api/nothing.json?access_token=${shop.token}`), '1')
    assert.equal(await remaining('GET', '/api/nothing.json'), null)
    assert.equal((await service.call('GET', '/api/nothing.json', { token: 'x'.repeat(43) })).status, 404)
    await service.call('GET', '/api/nothing.json', { token: shop.token })
    assert.equal((await service.call('GET', '/api/nothing.json', { token: shop.token })).status, 429)
  })
})
