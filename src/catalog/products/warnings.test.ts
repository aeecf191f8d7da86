import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aPrice, aProduct, BUY, readProduct, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { mirrorAll } from '#test/sales.ts'
import { someVideo, upload } from '#test/uploads.ts'

const service = useService()

const NO_PRICE = {
  field: 'price_license_binding',
  reason: 'product_without_price',
  message: 'The product is published without a price, so nobody can buy it.',
}
const NO_FILE = {
  field: 'content_files',
  reason: 'product_without_content',
  message: 'The product has no content file, so there is nothing to deliver.',
}

describe('warnings about a product', () => {
  test('say beside the product what keeps it from being sold and delivered', async () => {
    const shop = await service.openShop()
    const draft = await shop.post('/api/products.json', {
      product: { product_type: 1, title: 'Film', published: false },
    })
    assert.equal(draft.status, 201)
    assert.deepEqual(draft.body.warnings, [], 'nobody sees a product that is not published')
    const path = `/api/products/${draft.body.product.id}.json`
    const put = async (product: object): Promise<Wire> => {
      const answer = await shop.put(path, { product })
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }
    assert.deepEqual((await put({ published: true })).warnings, [NO_PRICE, NO_FILE])
    const { id } = await aPrice(service, shop)
    const priced = await put({ price_license_binding: [{ license_id: BUY, price_id: id }] })
    assert.deepEqual(priced.warnings, [NO_FILE])
    await upload(service, shop, draft.body.product, someVideo(500), { role: 'trailer' })
    assert.deepEqual((await put({ title: 'Trailer only' })).warnings, [NO_FILE])
    await upload(service, shop, draft.body.product, someVideo(500), { role: 'main_sd' })
    assert.deepEqual((await put({ title: 'Complete' })).warnings, [])
    assert.deepEqual(await readProduct(shop, draft.body.product.id), (await put({})).product)
  })

  test('ask for a file where the type has content of its own, and nowhere else', async () => {
    const shop = await service.openShop()
    for (const [product_type, expected] of [
      [1, [NO_PRICE, NO_FILE]],
      [4, [NO_PRICE, NO_FILE]],
      [5, [NO_PRICE, NO_FILE]],
      [16, [NO_PRICE, NO_FILE]],
      [3, [NO_PRICE]],
      [6, [NO_PRICE]],
      [8, [NO_PRICE]],
      [17, [NO_PRICE]],
    ] as const) {
      const { body } = await shop.post('/api/products.json', { product: { product_type, title: 'X', published: true } })
      assert.deepEqual(body.warnings, expected, String(product_type))
    }
  })

  test('are no part of the document: the ETag of a change is that of the next read', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop, { published: true })
    const path = `/api/products/${id}.json`
    const changed = await shop.put(path, { product: { title: 'Other' } })
    assert.equal(changed.body.warnings.length, 2)
    const read = await shop.get(path)
    assert.deepEqual(Object.keys(read.body), ['product'])
    assert.equal(changed.headers.get('etag'), read.headers.get('etag'))
    const next = await shop.put(path, { product: {} }, { 'if-match': changed.headers.get('etag') ?? '' })
    assert.equal(next.status, 200)
  })

  test('are repeated with the answer to a repeated request', async () => {
    const shop = await service.openShop()
    const send = () =>
      shop.post(
        '/api/products.json',
        { product: { product_type: 6, title: 'Mug', published: true } },
        { 'idempotency-key': 'one' },
      )
    const [first, second] = [await send(), await send()]
    assert.deepEqual(first.body.warnings, [NO_PRICE])
    assert.deepEqual(second.body, first.body)
  })

  test('are not about mirrored products, whose files are those of another company', async () => {
    const [owner, seller] = [await service.openShop(), await service.openShop()]
    const { id } = await aPrice(service, owner)
    await aProduct(owner, { published: true, price_license_binding: [{ license_id: BUY, price_id: id }] })
    const [mirror] = await mirrorAll(service, owner, seller)
    const answer = await seller.put(`/api/products/${mirror.id}.json`, { product: { published: false } })
    assert.deepEqual([answer.status, answer.body.warnings], [200, []])
  })
})
