import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createProducts } from '#catalog/products/commands.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import {
  aCategory,
  aProduct,
  assertBlames,
  assertPresentedFresh,
  eventsOf,
  readCategory,
  readProduct,
  type Wire,
} from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { buffersOf, plansOf, rowsRead } from '#test/plans.ts'

const service = useService()

async function put(shop: Shop, id: number, entries: object[]): Promise<Wire[]> {
  const answer = await shop.put(`/api/categories/${id}.json`, { category: { entries } })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(await readCategory(shop, id), answer.body.category)
  return answer.body.category.entries
}

/** Asserts that products and categories agree on their entries. */
async function assertConsistent(shop: Shop): Promise<void> {
  const { products } = (await shop.get('/api/products.json')).body
  const { categories } = (await shop.get('/api/categories.json')).body
  const fromProducts = products.flatMap((product: Wire) =>
    product.categories.map(({ id, category_id, created_at }: Wire) => [
      id,
      category_id,
      product.product_id,
      created_at,
    ]),
  )
  const fromCategories = categories.flatMap((category: Wire) =>
    category.entries.map(({ id, product_id, created_at }: Wire) => [id, category.id, product_id, created_at]),
  )
  assert.deepEqual(fromProducts.sort(), fromCategories.sort())
  for (const { id } of products) await assertPresentedFresh(service, shop, id)
}

describe('entries of a category', () => {
  test('name products by product_id in any case, or by number, and are shown from both sides', async () => {
    const shop = await service.openShop()
    const [one, two, three] = [await aProduct(shop), await aProduct(shop), await aProduct(shop)]
    const sent = [
      { product_id: one.product_id.toLowerCase() },
      { product_id: two.id },
      { product_id: String(three.id) },
      { product_id: one.id },
    ]
    const category = await aCategory(shop, { entries: sent })
    const named = category.entries.map((entry: Wire) => entry.product_id)
    assert.deepEqual(named, [one.product_id, two.product_id, three.product_id])
    await assertConsistent(shop)
  })

  test('keep the order in which they are sent; a product that adds itself comes last', async () => {
    const shop = await service.openShop()
    const products = [await aProduct(shop), await aProduct(shop), await aProduct(shop)]
    const [one, two, three] = products.map(({ product_id }) => product_id)
    const { id } = await aCategory(shop, { entries: [three, one, two].map((product_id) => ({ product_id })) })
    const order = async () => (await readCategory(shop, id)).entries.map(({ product_id }: Wire) => product_id)
    assert.deepEqual(await order(), [three, one, two])
    const before = await eventsOf(service, shop)
    await put(
      shop,
      id,
      [two, three, one].map((product_id) => ({ product_id })),
    )
    assert.deepEqual(await order(), [two, three, one])
    // Moving is no change of the products.
    assert.deepEqual(await eventsOf(service, shop), before)
    const added = await aProduct(shop, { categories: [{ category_id: id }] })
    await shop.put(`/api/products/${three}.json`, { product: { categories: [{ category_id: id }] } })
    assert.deepEqual(await order(), [two, three, one, added.product_id])
    await put(
      shop,
      id,
      [added.product_id, one].map((product_id) => ({ product_id })),
    )
    assert.deepEqual(await order(), [added.product_id, one])
    await assertConsistent(shop)
  })

  test('are replaced by what is sent, those that stay keeping id and time', async () => {
    const shop = await service.openShop()
    const [one, two, three] = [await aProduct(shop), await aProduct(shop), await aProduct(shop)]
    const { id, entries } = await aCategory(shop, {
      entries: [{ product_id: one.product_id }, { product_id: two.product_id }],
    })
    service.clock.advance(2)
    const after = await put(shop, id, [{ product_id: three.product_id }, { id: entries[1].id }])
    assert.deepEqual(after[1], entries[1])
    assert.ok(after[0]?.created_at > entries[1].created_at)
    await assertConsistent(shop)
    assert.deepEqual((await readProduct(shop, one.id)).categories, [])
    assert.deepEqual(await put(shop, id, after), after)
    const untouched = await shop.put(`/api/categories/${id}.json`, { category: { title: 'Other' } })
    assert.deepEqual(untouched.body.category.entries, after)
    assert.deepEqual(await put(shop, id, []), [])
    await assertConsistent(shop)
  })

  test('tell of each product that came or went, and of no other', async () => {
    const shop = await service.openShop()
    const [stays, comes, goes] = [await aProduct(shop), await aProduct(shop), await aProduct(shop)]
    const { id } = await aCategory(shop, { entries: [{ product_id: stays.id }, { product_id: goes.id }] })
    const before = (await eventsOf(service, shop)).length
    await put(shop, id, [{ product_id: stays.id }, { product_id: comes.id }])
    const events = (await eventsOf(service, shop)).slice(before)
    assert.deepEqual(events.map(({ data }) => data.long_id).sort(), [comes.product_id, goes.product_id].sort())
    assert.ok(events.every(({ topic }) => topic === 'product/update'))
  })

  test('are refused with a product of another company, and none is taken', async () => {
    const shop = await service.openShop()
    const mine = await aProduct(shop)
    const theirs = await aProduct(await service.openShop())
    const { id } = await aCategory(shop)
    for (const foreign of [theirs.id, theirs.product_id]) {
      const category = { entries: [{ product_id: mine.id }, { product_id: foreign }] }
      assertBlames(await shop.put(`/api/categories/${id}.json`, { category }), ['entries[1].product_id'])
      assertBlames(await shop.post('/api/categories.json', { category: { title: 'X', ...category } }), [
        'entries[1].product_id',
      ])
    }
    assert.deepEqual((await readCategory(shop, id)).entries, [])
    assert.deepEqual((await shop.get('/api/categories/count.json')).body, { count: 1 })
    for (const odd of ['9223372036854775808', '1e3', ' ', '-1', '0', 'x'.repeat(40), '0x1'])
      assertBlames(await shop.put(`/api/categories/${id}.json`, { category: { entries: [{ product_id: odd }] } }), [
        'entries[0].product_id',
      ])
  })

  test('stay one story when both sides are changed at once', async () => {
    const shop = await service.openShop()
    const categories = [await aCategory(shop), await aCategory(shop)]
    const products = await Promise.all(Array.from({ length: 4 }, () => aProduct(shop)))
    for (const round of [0, 1, 2]) {
      const answers = await Promise.all([
        ...products.map(({ id }, index) =>
          shop.put(`/api/products/${id}.json`, {
            product: { categories: [{ category_id: categories[(index + round) % 2].id }] },
          }),
        ),
        ...categories.map(({ id }, index) =>
          shop.put(`/api/categories/${id}.json`, {
            category: { entries: products.slice(index, index + 3).map((each) => ({ product_id: each.id })) },
          }),
        ),
      ])
      for (const { status, text } of answers) assert.equal(status, 200, text)
      await assertConsistent(shop)
    }
  })

  test('stay one story when a category is removed while products are put into it and taken out', async () => {
    const shop = await service.openShop()
    const products = await Promise.all(Array.from({ length: 6 }, () => aProduct(shop)))
    for (const _round of Array.from({ length: 4 })) {
      const entries = products.slice(0, 3).map(({ id }) => ({ product_id: id }))
      const { id } = await aCategory(shop, { entries })
      const [removal, ...changes] = await Promise.all([
        shop.delete(`/api/categories/${id}.json`),
        ...products.map((product, index) => {
          const categories = index % 2 === 0 ? [{ category_id: id }] : []
          return shop.put(`/api/products/${product.id}.json`, { product: { categories } })
        }),
      ])
      assert.equal(removal.status, 200, removal.text)
      for (const { status, text } of changes) assert.ok([200, 422].includes(status), text)
      await assertConsistent(shop)
    }
  })

  test('can be many', async () => {
    const shop = await service.openShop()
    const products = await Promise.all(Array.from({ length: 60 }, () => aProduct(shop)))
    const category = await aCategory(shop, { entries: products.map(({ id }) => ({ product_id: id })) })
    assert.equal(category.entries.length, 60)
    await shop.delete(`/api/categories/${category.id}.json`)
    await assertConsistent(shop)
  })

  test('are listed without a look at the products', async () => {
    const shop = await service.openShop()
    const { id: category_id } = await aCategory(shop)
    const inputs = Array.from({ length: 2000 }, (_, index) => ({
      input: { product_type: 1, title: `Film ${index}`, categories: [{ category_id }] },
      now: new Date(1_700_000_000_000),
    }))
    await inTransaction(service.db, (tx) => createProducts(tx, shop.companyId, inputs))
    // A vacuum passes over rows whose commit is not on the disk.
    await sql`checkpoint`.execute(service.db)
    await sql`vacuum analyze category_entries`.execute(service.db)
    await sql`analyze products`.execute(service.db)
    for (const path of ['/api/categories.json', `/api/categories/${category_id}.json`]) {
      const [plan, ...others] = await plansOf(service, 'category_entries', () => shop.get(path))
      assert.ok(plan !== undefined && others.length === 0)
      assert.equal(rowsRead(plan, 'products'), 0)
      assert.ok(buffersOf(plan) < inputs.length / 20, `${buffersOf(plan)} blocks for ${inputs.length} entries`)
    }
  })
})
