import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aPrice, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'

const service = useService()

const FULL = {
  title: 'Film, sale 🎬',
  countries: [
    { country_code: 'ch', price: 1690 },
    { country_code: 'JP', price: 190_000 },
  ],
  currencies: [
    { currency: 'EUR', price: 1499 },
    { currency: 'usd', price: 0 },
  ],
}

describe('GET /api/prices/{token}.json', () => {
  test('answers every field, countries by name and currencies in small letters', async () => {
    const shop = await service.openShop()
    const { id } = await aPrice(service, shop, FULL)
    const { status, body } = await shop.get(`/api/prices/${id}.json`)
    assert.equal(status, 200)
    const { created_at, modified_at, ...price } = body.price
    assert.match(created_at, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
    assert.equal(modified_at, created_at)
    assert.deepEqual(price, {
      id,
      title: 'Film, sale 🎬',
      valid: 1,
      countries: [
        { country_name: 'Switzerland', country_code: 'CH', price: 1690 },
        { country_name: 'Japan', country_code: 'JP', price: 190_000 },
      ],
      currencies: [
        { currency: 'eur', price: 1499 },
        { currency: 'usd', price: 0 },
      ],
    })
  })

  test('answers 404 for what is no price of the shop', async () => {
    const shop = await service.openShop()
    const foreign = await aPrice(service, await service.openShop())
    for (const ref of [foreign.id, 0, 999_999_999, '9'.repeat(15), '9'.repeat(16), -1, '1.5', 'abc', 'count ', '%00']) {
      const { status, body } = await shop.get(`/api/prices/${ref}.json`)
      assert.deepEqual([status, body.code], [404, 'not_found'], String(ref))
    }
  })

  test('answers 304 to who has it, and single fields to who asks for them', async () => {
    const shop = await service.openShop()
    const { id, title } = await aPrice(service, shop)
    const first = await shop.get(`/api/prices/${id}.json`)
    const again = await shop.get(`/api/prices/${id}.json`, undefined, {
      'if-none-match': first.headers.get('etag') ?? '',
    })
    assert.equal(again.status, 304)
    assert.deepEqual((await shop.get(`/api/prices/${id}.json?fields=title,nosuch`)).body, { price: { title } })
  })
})

describe('GET /api/prices.json', () => {
  test('answers the price models of the shop in the order of their ids, and count.json their number', async () => {
    const shop = await service.openShop()
    await aPrice(service, await service.openShop())
    assert.deepEqual((await shop.get('/api/prices.json')).body, { prices: [] })
    assert.deepEqual((await shop.get('/api/prices/count.json')).body, { count: 0 })
    const prices: Wire[] = []
    for (let index = 0; index < 5; index += 1) prices.push(await aPrice(service, shop, { title: `Price ${index}` }))
    assert.deepEqual((await shop.get('/api/prices.json')).body, { prices })
    assert.deepEqual((await shop.get('/api/prices/count.json')).body, { count: 5 })
    const since = `since_id=${prices[1].id}`
    assert.deepEqual((await shop.get(`/api/prices.json?${since}`)).body.prices, prices.slice(2))
    assert.deepEqual((await shop.get(`/api/prices/count.json?${since}`)).body, { count: 3 })
    const page = await shop.get('/api/prices.json?limit=2&page=2')
    assert.deepEqual(page.body.prices, prices.slice(2, 4))
    assert.match(page.headers.get('link') ?? '', new RegExp(`since_id=${prices[3].id}>; rel="next"`))
  })

  test('is all there is: prices are not made, changed or deleted through the interface', async () => {
    const shop = await service.openShop()
    const price = await aPrice(service, shop)
    const body = { price: { title: 'Other', currencies: [{ currency: 'eur', price: 1 }] } }
    assert.equal((await shop.post('/api/prices.json', body)).status, 405)
    assert.equal((await shop.put(`/api/prices/${price.id}.json`, body)).status, 405)
    assert.equal((await shop.delete(`/api/prices/${price.id}.json`)).status, 405)
    assert.deepEqual((await shop.get('/api/prices.json')).body, { prices: [price] })
  })
})
