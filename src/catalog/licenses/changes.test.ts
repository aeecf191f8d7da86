import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownerPage } from '#test/admin.ts'
import { aPrice, aProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, anOrder, order, readOrder } from '#test/orders.ts'
import { auditOf } from '#test/terms.ts'

const service = useService()
const RENT = { name: 'Rent for 48 hours', expire_after_first_use: 48 }

async function open() {
  const shop = await service.openShop()
  const page = await ownerPage(service, shop)
  const answer = await page.post('/licenses.json', { license: RENT })
  assert.equal(answer.status, 201, answer.text)
  return { shop, page, license: answer.body.license }
}

describe('a signed-in user', () => {
  test('creates a license that apps can read', async () => {
    const { shop, page, license } = await open()
    assert.equal(license.created_by_user_id, shop.userId)
    assert.equal(license.expire_after_first_use, 48)
    assert.deepEqual((await shop.get(`/api/licenses/${license.id}.json`)).body.license, license)
    assert.deepEqual((await page.get(`/licenses/${license.id}.json`)).body.license, license)
    const lists = [await shop.get('/api/licenses.json'), await page.get('/licenses.json')]
    assert.equal(lists[0]?.text, lists[1]?.text)
  })

  test('changes a license, and orders keep what they were sold under', async () => {
    const { shop, page, license } = await open()
    const { id: price_id } = await aPrice(service, shop)
    const bindings = [{ license_id: license.id, price_id }]
    const film = await aProduct(shop, { published: true, price_license_binding: bindings })
    const buyer = await aBuyer(shop)
    const before = await anOrder(shop, buyer, [film])
    const answer = await page.put(`/licenses/${license.id}.json`, { license: { name: 'Rent', tax_handling: 1 } })
    assert.deepEqual([answer.status, answer.body.license.name], [200, 'Rent'], answer.text)
    const after = await anOrder(shop, buyer, [film])
    assert.deepEqual([before.line_items[0].license_title, before.taxes_included], ['Rent for 48 hours', true])
    assert.deepEqual([after.line_items[0].license_title, after.taxes_included], ['Rent', false])
    assert.equal((await readOrder(shop, before.id)).line_items[0].license_title, 'Rent for 48 hours')
  })

  test('deletes a license that no product names, and learns how many do', async () => {
    const { shop, page, license } = await open()
    const path = `/licenses/${license.id}.json`
    const { id: price_id } = await aPrice(service, shop)
    const price_license_binding = [{ license_id: license.id, price_id }]
    const products = [await aProduct(shop, { price_license_binding }), await aProduct(shop, { price_license_binding })]
    const refused = await page.delete(path)
    assert.deepEqual([refused.status, refused.body.reason], [409, 'license_in_use'])
    assert.match(refused.body.error, /^2 products are sold under "Rent for 48 hours"/)
    for (const { id } of products) await shop.delete(`/api/products/${id}.json`)
    const done = await page.delete(path)
    assert.deepEqual([done.status, done.body], [200, {}])
    assert.equal((await page.get(path)).body.license.valid, 0)
    const again = await shop.post('/api/products.json', {
      product: { product_type: 1, title: 'Film', price_license_binding },
    })
    assert.equal(again.status, 422)
  })

  test('cannot change a license of all shops', async () => {
    const { page } = await open()
    for (const method of ['PUT', 'DELETE']) {
      const answer = await page.call(method, '/licenses/1.json', method === 'PUT' ? { license: RENT } : undefined)
      assert.deepEqual([answer.status, answer.body.reason], [403, 'license_is_general'])
    }
  })

  test('learns what is wrong with a license', async () => {
    const { page } = await open()
    const wrong: [object, string[]][] = [
      [{ type: 9, total_downloads: -2 }, ['total_downloads', 'type']],
      [{ total_downloads: 3 }, ['name']],
    ]
    for (const [license, fields] of wrong) {
      const { status, body } = await page.post('/licenses.json', { license })
      assert.deepEqual([status, Object.keys(body.errors).sort()], [422, fields])
    }
    assert.equal((await page.post('/licenses.json', {})).status, 400)
  })

  test('is on record', async () => {
    const { shop, page, license } = await open()
    await page.put(`/licenses/${license.id}.json`, { license: { name: 'Rent' } })
    await page.delete(`/licenses/${license.id}.json`)
    const entries = (await auditOf(service, shop)).filter(({ action }) => action.startsWith('license'))
    assert.deepEqual(
      entries.map(({ action, subject, user_id }) => [action, subject, user_id]),
      [
        ['license created', `Rent for 48 hours (${license.id})`, shop.userId],
        ['license changed', `Rent (${license.id})`, shop.userId],
        ['license deleted', `Rent (${license.id})`, shop.userId],
      ],
    )
  })

  test('sells under a license that was just made', async () => {
    const { shop, license } = await open()
    const { id: price_id } = await aPrice(service, shop)
    const price_license_binding = [{ license_id: license.id, price_id }]
    const film = await aProduct(shop, { published: true, price_license_binding })
    const { token } = await aBuyer(shop)
    const answer = await order(shop, { customer_token: token, line_items: [{ product_id: film.product_id }] })
    assert.equal(answer.status, 201, answer.text)
  })
})
