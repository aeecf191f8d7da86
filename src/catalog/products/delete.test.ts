import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCategory, aPrice, aProduct, assertBlames, eventsOf, everything, readCategory } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()

async function countOf(shop: Shop): Promise<number> {
  const [count, list] = [await shop.get('/api/products/count.json'), await shop.get('/api/products.json?fields=id')]
  assert.equal(count.body.count, list.body.products.length)
  return count.body.count
}

describe('DELETE /api/products/{id}.json', () => {
  test('removes the product with all its parts, on both sides, and answers {}', async () => {
    const shop = await service.openShop()
    const category = await aCategory(shop)
    const kept = await aProduct(shop, { categories: [{ category_id: category.id }] })
    const price = await aPrice(service, shop)
    const sent = everything(1, [category.id], price.id, 'https://example.com/a.png')
    const { id, product_id } = await aProduct(shop, sent)
    const answer = await shop.delete(`/api/products/${id}.json`)
    assert.deepEqual([answer.status, answer.text], [200, '{}'])
    for (const ref of [id, product_id]) assert.equal((await shop.get(`/api/products/${ref}.json`)).status, 404)
    const entries = (await readCategory(shop, category.id)).entries
    assert.deepEqual(
      entries.map((entry: { product_id: string }) => entry.product_id),
      [kept.product_id],
    )
    for (const table of [
      'category_entries',
      'product_bindings',
      'product_themes',
      'product_groups',
      'pictures',
    ] as const) {
      const rows = await service.db
        .selectFrom(table as 'pictures')
        .select('product_key')
        .where('company_id', '=', shop.companyId)
        .where('product_key', '=', id)
        .execute()
      assert.deepEqual(rows, [], table)
    }
    assert.equal(await countOf(shop), 1)
  })

  test('is 404 the second time, and also takes the product_id', async () => {
    const shop = await service.openShop()
    const { id, product_id } = await aProduct(shop)
    assert.equal((await shop.delete(`/api/products/${product_id.toLowerCase()}.json`)).status, 200)
    for (const ref of [id, product_id]) assert.equal((await shop.delete(`/api/products/${ref}.json`)).status, 404)
    assert.equal(await countOf(shop), 0)
    for (const path of ['/api/products/a%00b.json', '/api/products/a%00b/keys/7.json'])
      assert.equal((await shop.delete(path)).body.reason, 'product_not_found', path)
  })

  test('removes once, even with several requests at the same time', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop)
    const answers = await Promise.all(Array.from({ length: 6 }, () => shop.delete(`/api/products/${id}.json`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404, 404])
    assert.equal(await countOf(shop), 0)
    assert.equal((await eventsOf(service, shop)).filter(({ topic }) => topic === 'product/delete').length, 1)
  })

  test('may come with an empty body that calls itself JSON', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop)
    const answer = await shop.delete(`/api/products/${id}.json`, undefined, { 'content-type': 'application/json' })
    assert.equal(answer.status, 200)
  })

  test('frees the product_id', async () => {
    const shop = await service.openShop()
    const { id, product_id } = await aProduct(shop)
    await shop.delete(`/api/products/${id}.json`)
    assert.notEqual((await aProduct(shop, { product_id })).id, id)
  })
})

describe('events of products', () => {
  test('tell of every change with both ids, in order', async () => {
    const shop = await service.openShop()
    const { id, product_id } = await aProduct(shop)
    await shop.put(`/api/products/${id}.json`, { product: { title: 'Home' } })
    await shop.delete(`/api/products/${id}.json`)
    const data = { type: 'product', id: String(id), long_id: product_id }
    assert.deepEqual(await eventsOf(service, shop), [
      { topic: 'product/create', data },
      { topic: 'product/update', data },
      { topic: 'product/delete', data },
    ])
  })

  test('tell of a product whose category changed under it', async () => {
    const shop = await service.openShop()
    const category = await aCategory(shop)
    const { id } = await aProduct(shop)
    await shop.put(`/api/categories/${category.id}.json`, { category: { entries: [{ product_id: String(id) }] } })
    await shop.delete(`/api/categories/${category.id}.json`)
    const topics = (await eventsOf(service, shop)).map(({ topic }) => topic)
    assert.deepEqual(topics, ['product/create', 'product/update', 'product/update'])
  })

  test('say nothing of a change that was refused', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop)
    assertBlames(await shop.put(`/api/products/${id}.json`, { product: { title: '' } }), ['title'])
    assertBlames(await shop.post('/api/products.json', { product: { title: 'Film' } }), ['product_type'])
    const foreign = { product_type: 1, title: 'Film', categories: [{ category_id: 99_999 }] }
    assertBlames(await shop.post('/api/products.json', { product: foreign }), ['categories[0].category_id'])
    await shop.delete('/api/products/999999.json')
    assert.deepEqual(
      (await eventsOf(service, shop)).map(({ topic }) => topic),
      ['product/create'],
    )
    assert.equal(await countOf(shop), 1)
  })
})

describe('the count of products', () => {
  test('is right after many are made and removed at once', async () => {
    const shop = await service.openShop()
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => aProduct(shop, { title: `Film ${index}` })))
    assert.equal(await countOf(shop), 20)
    await Promise.all([
      ...made.slice(0, 7).map(({ id }) => shop.delete(`/api/products/${id}.json`)),
      ...Array.from({ length: 5 }, () => aProduct(shop)),
      ...Array.from({ length: 5 }, () => shop.post('/api/products.json', { product: { title: 'Refused' } })),
    ])
    assert.equal(await countOf(shop), 18)
  })

  test('is each company’s own', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    await aProduct(other)
    assert.deepEqual([await countOf(shop), await countOf(other)], [0, 1])
  })
})
