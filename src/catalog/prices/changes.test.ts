import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownerPage } from '#test/admin.ts'
import { aProduct, BUY } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, anOrder, readOrder } from '#test/orders.ts'
import { aTerm, changeTerm, deleteTerm } from '#test/terms.ts'

const service = useService()
const SALE = { title: 'Film, sale', currencies: [{ currency: 'eur', price: 1499 }] }

async function open() {
  const shop = await service.openShop()
  const page = await ownerPage(service, shop)
  const answer = await page.post('/prices.json', { price: SALE })
  assert.equal(answer.status, 201, answer.text)
  const { price } = answer.body
  return { shop, page, price, path: `/prices/${price.id}.json` }
}

describe('a signed-in user', () => {
  test('creates a price that apps can read', async () => {
    const { shop, page, price, path } = await open()
    assert.deepEqual((await shop.get(`/api${path}`)).body.price, price)
    assert.deepEqual((await page.get(path)).body.price, price)
    assert.deepEqual((await page.get('/prices.json')).body.prices, [price])
    assert.equal((await page.get('/prices/count.json')).body.count, 1)
  })

  test('changes a price, and orders keep what was paid', async () => {
    const { shop, page, price, path } = await open()
    const price_license_binding = [{ license_id: BUY, price_id: price.id }]
    const film = await aProduct(shop, { published: true, price_license_binding })
    const buyer = await aBuyer(shop)
    const before = await anOrder(shop, buyer, [film])
    const answer = await page.put(path, { price: { currencies: [{ currency: 'eur', price: 999 }] } })
    assert.equal(answer.status, 200, answer.text)
    const after = await anOrder(shop, buyer, [film])
    assert.deepEqual([before.total_price, after.total_price], [1499, 999])
    assert.equal((await readOrder(shop, before.id)).total_price, 1499)
  })

  test('deletes a price that nothing names, and learns how many products and shipping methods do', async () => {
    const { shop, page, price, path } = await open()
    const { id } = await aProduct(shop, { price_license_binding: [{ license_id: BUY, compare_price_id: price.id }] })
    const method = await aTerm(shop, 'shipping_method', { title: 'Parcel', price_id: price.id })
    const refused = async () => {
      const { status, body } = await page.delete(path)
      assert.deepEqual([status, body.reason], [409, 'price_in_use'])
      return body.error
    }
    assert.match(await refused(), /^The price "Film, sale" is used by 1 product and 1 shipping method:/)
    await shop.delete(`/api/products/${id}.json`)
    assert.match(await refused(), /is used by 1 shipping method:/)
    await changeTerm(shop, 'shipping_method', method.id, { price_id: null, weight_rates: [{ price_id: price.id }] })
    assert.match(await refused(), /is used by 1 shipping method:/)
    await deleteTerm(shop, 'shipping_method', method.id)
    assert.deepEqual((await page.delete(path)).body, {})
    assert.equal((await shop.get(`/api${path}`)).body.price.valid, 0)
  })

  test('learns what is wrong with a price', async () => {
    const { page } = await open()
    const answer = await page.post('/prices.json', {
      price: { title: ' ', currencies: [{ currency: 'xxx', price: 1 }] },
    })
    assert.equal(answer.status, 422)
    assert.ok('title' in answer.body.errors, answer.text)
  })
})
