import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'

const service = useService()

describe('/api2', () => {
  test('is another name of /api, for reads and writes, with and without a token', async () => {
    const shop = await service.openShop()
    const made = await shop.post('/api2/products.json', { product: { product_type: 1, title: 'Film' } })
    assert.equal(made.status, 201)
    const path = `products/${made.body.product.id}.json`
    assert.deepEqual((await shop.get(`/api2/${path}`)).body, (await shop.get(`/api/${path}`)).body)
    assert.equal((await service.call('GET', `/api2/tokeninfo?access_token=${shop.token}`)).status, 200)
    assert.equal((await service.call('GET', `/api2/${path}`)).status, 401)
    assert.equal((await shop.delete(`/api2/${path}`)).status, 200)
    assert.equal((await shop.get(`/api2/${path}`)).status, 404)
  })

  test('is no other path', async () => {
    for (const path of ['/api2', '/api22/products.json', '/api2products.json', '/x/api2/products.json'])
      assert.equal((await service.call('GET', path)).status, 404, path)
  })

  test('stays in the link to the next page, which works', async () => {
    const shop = await service.openShop()
    const first = await aProduct(shop)
    const second = await aProduct(shop)
    for (const name of ['api', 'api2']) {
      const { headers, body } = await shop.get(`/${name}/products.json?limit=1`)
      assert.equal(body.products[0].id, first.id)
      const [, link = ''] = /<(.+)>/.exec(headers.get('link') ?? '') ?? []
      assert.ok(link.startsWith(`${service.url}/${name}/products.json?`), link)
      const next = await shop.get(link.slice(service.url.length))
      assert.equal(next.body.products[0].id, second.id)
    }
  })

  test('is logged as it was asked, without secrets', async () => {
    await service.call('GET', '/api2/tokeninfo?access_token=not-a-token')
    await service.call('GET', '/api2/customers/login/1/secret-of-login')
    const lines = service.log.join('')
    assert.ok(lines.includes('"url":"/api2/tokeninfo?access_token=…"'))
    assert.ok(lines.includes('"url":"/api2/customers/login/1/…"'))
    assert.ok(!lines.includes('not-a-token') && !lines.includes('secret-of-login'))
  })

  test('has one place for an Idempotency-Key', async () => {
    const shop = await service.openShop()
    const film = { product: { product_type: 1, title: 'Film' } }
    const key = { 'idempotency-key': 'a' }
    const one = await shop.post('/api/products.json', film, key)
    const other = await shop.post('/api2/products.json', film, key)
    assert.deepEqual([other.status, other.text], [201, one.text])
  })
})
