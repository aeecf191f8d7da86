import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  aCategory,
  aProduct,
  assertBlames,
  assertPresentedFresh,
  putIntoLostTheme,
  readCategory,
  readProduct,
  type Wire,
} from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()

async function put(shop: Shop, id: number, product: object): Promise<Wire> {
  const answer = await shop.put(`/api/products/${id}.json`, { product })
  assert.equal(answer.status, 200, answer.text)
  await assertPresentedFresh(service, shop, id)
  return answer.body.product
}

describe('a list inside a product', () => {
  const LISTS: [string, object, object, object][] = [
    ['chapters', { name: 'One', runtime: 5 }, { name: 'Two', runtime: 6 }, { runtime: 7 }],
    ['tagging_genre', { value: 'Drama' }, { value: 'Travel' }, { value: 'Comedy' }],
    ['tagging_studios', { value: 'North' }, { value: 'South' }, { value: 'West' }],
    ['tagging_people', { role: 'Ann', person: 'Jane' }, { role: 'Bob', person: 'John' }, { person: 'Max' }],
    ['tagging_script', { person: 'Jane' }, { person: 'John' }, { person: 'Max' }],
    ['tagging_director', { person: 'Jane' }, { person: 'John' }, { person: 'Max' }],
    ['price_license_binding', { license_id: 1, hd: true }, { license_id: 2, hd: false }, { license_id: 9 }],
    ['themes', { theme_id: 1 }, { theme_id: -1 }, {}],
  ]
  for (const [name, first, second, change] of LISTS) {
    test(`is replaced by what is sent, known ids kept: ${name}`, async () => {
      const shop = await service.openShop()
      const product = await aProduct(shop, { [name]: [first, second] })
      const [one, two] = product[name]
      const after = await put(shop, product.id, {
        [name]: [
          { id: two.id, ...second, ...change },
          { ...first, id: null },
        ],
      })
      assert.equal(after[name].length, 2)
      assert.deepEqual(
        after[name].find(({ id }: Wire) => id === two.id),
        { ...two, ...change },
      )
      const other = after[name].find(({ id }: Wire) => id !== two.id)
      if (name === 'themes') assert.equal(other.id, one.id)
      assert.deepEqual({ ...other, id: one.id, created_at: one.created_at }, { created_at: one.created_at, ...one })
      assert.deepEqual((await put(shop, product.id, { title: 'Home' }))[name], after[name])
      assert.deepEqual((await put(shop, product.id, { [name]: [] }))[name], [])
    })

    test(`makes new parts of ids that it does not know: ${name}`, async () => {
      const shop = await service.openShop()
      const other = await aProduct(shop, { [name]: [first] })
      const product = await aProduct(shop, { [name]: [{ ...second, id: other[name][0].id }] })
      assert.notEqual(product[name][0].id, other[name][0].id)
      assert.deepEqual(await readProduct(shop, other.id), other)
    })
  }

  test('gives an id that is sent twice to the first of the two only', async () => {
    const shop = await service.openShop()
    const { id, chapters } = await aProduct(shop, { chapters: [{ name: 'One' }] })
    const after = await put(shop, id, { chapters: [chapters[0], { ...chapters[0], name: 'Again' }] })
    assert.equal(after.chapters[0].id, chapters[0].id)
    assert.notEqual(after.chapters[1].id, chapters[0].id)
  })

  test('shows chapters and bindings in the order in which they were sent last', async () => {
    const shop = await service.openShop()
    const { id, chapters, price_license_binding } = await aProduct(shop, {
      chapters: [{ name: 'A' }, { name: 'B' }, { name: 'C' }],
      price_license_binding: [{ license_id: 1 }, { license_id: 2 }, { license_id: 3 }],
    })
    const after = await put(shop, id, {
      chapters: chapters.toReversed(),
      price_license_binding: price_license_binding.toReversed(),
    })
    assert.deepEqual(after.chapters, chapters.toReversed())
    assert.deepEqual(after.price_license_binding, price_license_binding.toReversed())
  })
})

describe('tagging', () => {
  test('is an object of its own that keeps its id, changes by parts and stays with null', async () => {
    const shop = await service.openShop()
    const { id, tagging } = await aProduct(shop, { tagging: { isbn: '978-3' } })
    assert.deepEqual(tagging, { id: tagging.id, isbn: '978-3', year: null })
    const dated = { ...tagging, year: 1999 }
    assert.deepEqual((await put(shop, id, { tagging: { id: 1, year: 1999 } })).tagging, dated)
    assert.deepEqual((await put(shop, id, { tagging: {} })).tagging, dated)
    assert.deepEqual((await put(shop, id, { tagging: { isbn: null } })).tagging, { ...dated, isbn: null })
    assert.deepEqual((await put(shop, id, { tagging: null })).tagging, { ...dated, isbn: null })
  })

  test('has an age rating only where one is set, and 0 is one', async () => {
    const shop = await service.openShop()
    const { id, tagging } = await aProduct(shop, { tagging: { age: null } })
    const withoutAge = `"tagging":{"id":${tagging.id},"isbn":null,"year":null},`
    const textOf = async () => (await shop.get(`/api/products/${id}.json`)).text
    assert.ok((await textOf()).includes(withoutAge))
    assert.deepEqual((await put(shop, id, { tagging: { age: '12' } })).tagging, { ...tagging, age: 12 })
    assert.deepEqual((await put(shop, id, { tagging: { year: 1999 } })).tagging, { ...tagging, year: 1999, age: 12 })
    assert.deepEqual((await put(shop, id, { tagging: { year: null, age: 0 } })).tagging, { ...tagging, age: 0 })
    await put(shop, id, { tagging: { age: null } })
    assert.ok((await textOf()).includes(withoutAge))
  })
})

describe('groups', () => {
  test('keep their letter, id and bounds; -1 is all of a kind; null is no bound', async () => {
    const shop = await service.openShop()
    const groups = [
      { group_id: 's7', start_at: '2024-01-01T00:00:00+01:00', end_at: null },
      { group_id: 'c-1', start_at: null, end_at: '2030-01-01' },
      { group_id: 'p123456789012345678' },
    ]
    const product = await aProduct(shop, { groups })
    const shown = product.groups.map(({ created_at: _created, ...group }: Wire) => group)
    assert.deepEqual(shown, [
      { group_id: 'c-1', start_at: null, end_at: '2030-01-01T00:00:00' },
      { group_id: 'p123456789012345678', start_at: null, end_at: null },
      { group_id: 's7', start_at: '2023-12-31T23:00:00', end_at: null },
    ])
    service.clock.advance(2)
    const after = await put(shop, product.id, {
      groups: [{ group_id: 's7', end_at: '2025-01-01' }, { group_id: 'c9' }],
    })
    const [added, kept] = after.groups
    assert.deepEqual(kept, { ...product.groups[2], end_at: '2025-01-01T00:00:00' })
    assert.ok(added.created_at > kept.created_at)
    assert.deepEqual((await put(shop, product.id, { groups: [] })).groups, [])
  })
})

describe('categories of a product', () => {
  test('are shown from both sides with the same id and time', async () => {
    const shop = await service.openShop()
    const [films, books] = [await aCategory(shop), await aCategory(shop, { title: 'Books' })]
    const sent = [{ category_id: films.id }, { category_id: books.id }]
    const product = await aProduct(shop, { categories: sent })
    for (const [index, category] of [films, books].entries()) {
      const { id, category_id, created_at } = product.categories[index]
      assert.equal(category_id, category.id)
      const entries = [{ id, product_id: product.product_id, created_at }]
      assert.deepEqual((await readCategory(shop, category.id)).entries, entries)
    }
  })

  test('keep a binding by its id or its category, and lose the others on both sides', async () => {
    const shop = await service.openShop()
    const [films, books, games] = [await aCategory(shop), await aCategory(shop), await aCategory(shop)]
    const sent = [{ category_id: films.id }, { category_id: books.id }]
    const { id, categories } = await aProduct(shop, { categories: sent })
    service.clock.advance(2)
    const after = await put(shop, id, { categories: [{ category_id: games.id }, { id: 0, category_id: books.id }] })
    assert.deepEqual(after.categories[0], categories[1])
    assert.equal(after.categories[1].category_id, games.id)
    assert.deepEqual((await readCategory(shop, films.id)).entries, [])
    assert.deepEqual((await put(shop, id, { categories: [{ id: categories[1].id }] })).categories, [categories[1]])
    const moved = await put(shop, id, { categories: [{ id: categories[1].id, category_id: films.id }] })
    assert.equal(moved.categories[0].id, categories[1].id)
    assert.deepEqual((await put(shop, id, { categories: [] })).categories, [])
    for (const category of [films, books, games]) assert.deepEqual((await readCategory(shop, category.id)).entries, [])
  })

  test('must be of this shop, and there once', async () => {
    const shop = await service.openShop()
    const mine = await aCategory(shop)
    const theirs = await aCategory(await service.openShop())
    const { id } = await aProduct(shop, { categories: [{ category_id: mine.id }] })
    const path = `/api/products/${id}.json`
    const [own, foreign] = [{ category_id: mine.id }, { category_id: theirs.id }]
    assertBlames(await shop.put(path, { product: { categories: [foreign, own] } }), ['categories[0].category_id'])
    assertBlames(await shop.put(path, { product: { categories: [own, own] } }), ['categories[1].category_id'])
    assertBlames(
      await shop.post('/api/products.json', { product: { product_type: 1, title: 'Film', categories: [foreign] } }),
      ['categories[0].category_id'],
    )
    assert.equal((await readCategory(shop, mine.id)).entries.length, 1)
  })
})

describe('the themes of a product', () => {
  test('are themes that there are, or all of them', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop, { themes: [{ theme_id: 1 }, { theme_id: -1 }] })
    for (const theme_id of [2, 1001, 0]) {
      const product = { themes: [{ theme_id: -1 }, { theme_id }] }
      assertBlames(await shop.put(`/api/products/${id}.json`, { product }), ['themes[1].theme_id'])
    }
    assert.deepEqual(
      (await readProduct(shop, id)).themes.map(({ theme_id }: Wire) => theme_id),
      [1, -1],
    )
  })

  test('may be sent back when they are gone, and are not taken up again', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop, { themes: [{ theme_id: 1 }] })
    await putIntoLostTheme(service, shop, id, 77)
    const before = await put(shop, id, { title: 'Home' })
    assert.deepEqual(
      before.themes.map(({ theme_id }: Wire) => theme_id),
      [1, 77],
    )
    assert.deepEqual((await put(shop, id, before)).themes, before.themes)
    await put(shop, id, { themes: [{ theme_id: 1 }] })
    assertBlames(await shop.put(`/api/products/${id}.json`, { product: before }), ['themes[1].theme_id'])
  })
})
