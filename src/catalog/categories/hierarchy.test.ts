import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  aCategory,
  aProduct,
  assertBlames,
  assertPresentedFresh,
  readCategory,
  readProduct,
  type Wire,
} from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()

/** Moves a category below another; 0 is the top. */
function move(shop: Shop, id: number, parent_id: number) {
  return shop.put(`/api/categories/${id}.json`, { category: { parent_id } })
}

/** Asserts that every category reaches the top by way of its parents. */
async function assertNoCircle(shop: Shop): Promise<void> {
  const { body } = await shop.get('/api/categories.json')
  const parents = new Map<number, number>(body.categories.map(({ id, parent_id }: Wire) => [id, parent_id]))
  for (const id of parents.keys()) {
    const seen = new Set<number>()
    for (let above = id; above !== 0; above = parents.get(above) ?? assert.fail(`${above} is not there`)) {
      assert.ok(!seen.has(above), `circle at ${above}`)
      seen.add(above)
    }
  }
}

describe('the hierarchy of categories', () => {
  test('refuses a parent that is the category itself or below it', async () => {
    const shop = await service.openShop()
    const top = await aCategory(shop)
    const middle = await aCategory(shop, { parent_id: top.id })
    const low = await aCategory(shop, { parent_id: middle.id })
    for (const [id, parent] of [
      [top.id, top.id],
      [top.id, middle.id],
      [top.id, low.id],
      [middle.id, low.id],
    ])
      assertBlames(await move(shop, id, parent), ['parent_id'])
    assert.deepEqual(await readCategory(shop, top.id), top)
    assert.equal((await move(shop, low.id, top.id)).status, 200)
    assert.equal((await move(shop, middle.id, low.id)).status, 200)
    await assertNoCircle(shop)
  })

  test('refuses a parent of another company', async () => {
    const shop = await service.openShop()
    const theirs = await aCategory(await service.openShop())
    const { id } = await aCategory(shop)
    assertBlames(await move(shop, id, theirs.id), ['parent_id'])
    assertBlames(await shop.post('/api/categories.json', { category: { title: 'X', parent_id: theirs.id } }), [
      'parent_id',
    ])
  })

  test('lets two moves that together would make a circle happen one after the other', async () => {
    const shop = await service.openShop()
    for (const _round of Array.from({ length: 5 })) {
      const [one, two] = [await aCategory(shop), await aCategory(shop)]
      const answers = await Promise.all([move(shop, one.id, two.id), move(shop, two.id, one.id)])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
    }
    await assertNoCircle(shop)
  })

  test('stays whole and quick when many move at once', async () => {
    const shop = await service.openShop()
    const made = await Promise.all(Array.from({ length: 8 }, () => aCategory(shop)))
    const answers = await Promise.all(made.map(({ id }, index) => move(shop, id, made[(index + 1) % made.length].id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(7).fill(200), 422])
    await assertNoCircle(shop)
  })

  test('moves the children of a removed category up to its parent', async () => {
    const shop = await service.openShop()
    const top = await aCategory(shop)
    const middle = await aCategory(shop, { parent_id: top.id })
    const children = [
      await aCategory(shop, { parent_id: middle.id }),
      await aCategory(shop, { parent_id: middle.id, position: 3 }),
    ]
    const answer = await shop.delete(`/api/categories/${middle.id}.json`)
    assert.deepEqual([answer.status, answer.text], [200, '{}'])
    for (const child of children) assert.deepEqual(await readCategory(shop, child.id), { ...child, parent_id: top.id })
    assert.equal((await shop.delete(`/api/categories/${top.id}.json`)).status, 200)
    for (const child of children) assert.equal((await readCategory(shop, child.id)).parent_id, 0)
    assert.deepEqual((await shop.get('/api/categories/count.json')).body, { count: 2 })
  })

  test('is removed from once: the second time is 404', async () => {
    const shop = await service.openShop()
    const { id } = await aCategory(shop)
    const answers = await Promise.all(Array.from({ length: 4 }, () => shop.delete(`/api/categories/${id}.json`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404])
    assert.equal((await shop.delete(`/api/categories/${id}.json`)).status, 404)
    assert.deepEqual((await shop.get('/api/categories/count.json')).body, { count: 0 })
  })

  test('never hangs a category on one that is being removed', async () => {
    const shop = await service.openShop()
    for (const _round of Array.from({ length: 5 })) {
      const [doomed, moved] = [await aCategory(shop), await aCategory(shop)]
      const [removal, moving, making] = await Promise.all([
        shop.delete(`/api/categories/${doomed.id}.json`),
        move(shop, moved.id, doomed.id),
        shop.post('/api/categories.json', { category: { title: 'New', parent_id: doomed.id } }),
      ])
      assert.equal(removal.status, 200)
      assert.ok([200, 422].includes(moving.status), moving.text)
      assert.ok([201, 422].includes(making.status), making.text)
      assert.equal((await readCategory(shop, moved.id)).parent_id, 0)
    }
    await assertNoCircle(shop)
  })

  test('has no circle after any sequence of moves and removals', async () => {
    const step = fc.record({ category: fc.nat(5), parent: fc.nat(6), removes: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const shop = await service.openShop()
        const made = await Promise.all(Array.from({ length: 6 }, () => aCategory(shop)))
        for (const { category, parent, removes } of steps) {
          const { id } = made[category]
          const { status } = removes
            ? await shop.delete(`/api/categories/${id}.json`)
            : await move(shop, id, made[parent]?.id ?? 0)
          assert.ok([200, 404, 422].includes(status))
          await assertNoCircle(shop)
        }
      }),
      { numRuns: 15 },
    )
  })
})

describe('POST /api/categories/{id}/move.json', () => {
  const put = (shop: Shop, id: number, move: object) => shop.post(`/api/categories/${id}/move.json`, { move })
  const order = async (shop: Shop, parent = 0): Promise<string> => {
    const { categories } = (await shop.get('/api/categories.json')).body
    const children: Wire[] = categories.filter(({ parent_id }: Wire) => parent_id === parent)
    return children
      .sort((one, other) => one.position - other.position)
      .map(({ title }) => title)
      .join('')
  }

  test('puts a category at its place, though all of them had the same number', async () => {
    const shop = await service.openShop()
    const [, b, c] = [
      await aCategory(shop, { title: 'a' }),
      await aCategory(shop, { title: 'b' }),
      await aCategory(shop, { title: 'c' }),
    ]
    assert.equal((await put(shop, c.id, { position: 0 })).status, 200)
    assert.equal(await order(shop), 'cab')
    const moved = await put(shop, b.id, { parent_id: c.id, position: 7 })
    assert.deepEqual([moved.body.category.parent_id, moved.body.category.position], [c.id, 0])
    assert.deepEqual([await order(shop), await order(shop, c.id)], ['ca', 'b'])
    assert.equal((await put(shop, b.id, { parent_id: null, position: 1 })).status, 200)
    assert.equal(await order(shop), 'cba')
  })

  test('refuses a parent that lies below, and one of another company, at the field', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const parent = await aCategory(shop)
    const child = await aCategory(shop, { parent_id: parent.id })
    const foreign = await aCategory(stranger)
    for (const parent_id of [child.id, foreign.id]) {
      const refused = await put(shop, parent.id, { parent_id, position: 0 })
      assert.equal(refused.status, 422)
      assert.deepEqual(Object.keys(refused.body.errors), ['parent_id'])
    }
    assert.equal((await put(stranger, parent.id, { position: 0 })).status, 404)
  })
})

describe('removing a category', () => {
  test('leaves its products, without it', async () => {
    const shop = await service.openShop()
    const [gone, kept] = [await aCategory(shop), await aCategory(shop)]
    const product = await aProduct(shop, { categories: [{ category_id: gone.id }, { category_id: kept.id }] })
    service.clock.advance(1)
    await shop.delete(`/api/categories/${gone.id}.json`)
    const after = await readProduct(shop, product.id)
    assert.deepEqual(after.categories, [product.categories[1]])
    assert.ok(after.updated_at > product.updated_at)
    await assertPresentedFresh(service, shop, product.id)
  })
})
