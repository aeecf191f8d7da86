import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { aProduct, assertBlames, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm, setCompany, someGoods } from '#test/orders.ts'

const service = useService()

/** The ids in a list, after checking that the count agrees. */
async function idsOf(shop: Shop, query: string): Promise<number[]> {
  const list = await shop.get(`/api/products.json?${query}`)
  assert.equal(list.status, 200, list.text)
  const ids = list.body.products.map(({ id }: Wire) => id)
  const count = await shop.get(`/api/products/count.json?${query}`)
  assert.deepEqual(count.body, { count: ids.length }, query)
  return ids
}

/** A shop with three products whose every filtered attribute differs. */
async function stocked() {
  const shop = await service.openShop()
  const film = await aProduct(shop, {
    title: 'The Long Way Home',
    version: '1.0',
    comment: 'Ask Jane',
    product_type: 1,
  })
  const book = await aProduct(shop, { title: 'Way of Tea', version: '2.0b', published: false, product_type: 16 })
  const mug = await aProduct(shop, { title: 'Mug', comment: 'ask the potter', product_type: 6, published_at: null })
  const times = [
    [film.id, '2024-01-01T10:00:00Z', '2024-02-01T10:00:00Z', '2024-03-01T10:00:00Z'],
    [book.id, '2024-01-02T10:00:00Z', '2024-02-02T10:00:00Z', '2024-03-02T10:00:00Z'],
    [mug.id, '2024-01-03T10:00:00Z', '2024-02-03T10:00:00Z', null],
  ]
  for (const [id, created, updated, published] of times)
    await sql`update products set created_at = ${created}, updated_at = ${updated}, published_at = ${published}
      where company_id = ${shop.companyId} and id = ${id}`.execute(service.db)
  return {
    shop,
    film: film.id as number,
    book: book.id as number,
    mug: mug.id as number,
    productIds: [film, book, mug],
  }
}

describe('GET /api/products.json with a filter', () => {
  const MONTHS = { created_at: '01', updated_at: '02', published_at: '03' }
  for (const [name, month] of Object.entries(MONTHS)) {
    test(`keeps to ${name}_min and ${name}_max, both inclusive, in every spelling of a time`, async () => {
      const { shop, film, book, mug } = await stocked()
      const after = name === 'published_at' ? [book] : [book, mug]
      const spellings = [
        `2024-${month}-02T10:00:00`,
        `2024-${month}-02 10:00:00`,
        `2024-${month}-02T10:00`,
        `2024-${month}-02T10:00:00Z`,
        `2024-${month}-02T12:00:00%2B02:00`,
        `2024-${month}-02T12:00:00+02:00`,
        `2024-${month}-02T12:00:00+0200`.replace('+', '%2B'),
        `2024-${month}-02T05:00:00-05:00`,
        `2024-${month}-02T10:00:00.999`,
      ]
      for (const time of spellings) {
        assert.deepEqual(await idsOf(shop, `${name}_min=${time}`), after, time)
        assert.deepEqual(await idsOf(shop, `${name}_max=${time}`), [film, book], time)
        assert.deepEqual(await idsOf(shop, `${name}_min=${time}&${name}_max=${time}`), [book], time)
      }
      assert.deepEqual(await idsOf(shop, `${name}_min=2024-${month}-02T10:00:01`), after.slice(1))
      assert.deepEqual(await idsOf(shop, `${name}_max=2024-${month}-02T09:59:59`), [film])
      assert.deepEqual(await idsOf(shop, `${name}_max=2024-${month}-02`), [film])
      for (const wrong of ['soon', '2024-02-30', '2024-13-01', '12', '2024-01-01T25:00', '2024-01-01T00:00:00X'])
        for (const bound of ['min', 'max'])
          assertBlames(await shop.get(`/api/products.json?${name}_${bound}=${wrong}`), [`${name}_${bound}`])
    })
  }

  test('keeps to published_status', async () => {
    const { shop, film, book, mug } = await stocked()
    assert.deepEqual(await idsOf(shop, 'published_status=published'), [film, mug])
    assert.deepEqual(await idsOf(shop, 'published_status=unpublished'), [book])
    assert.deepEqual(await idsOf(shop, 'published_status=any'), [film, book, mug])
    assertBlames(await shop.get('/api/products.json?published_status=hidden'), ['published_status'])
  })

  test('keeps to sale_status: what a shop shows, with and without what a customer needs to buy it', async () => {
    const { shop, film, mug } = await stocked()
    const bought = await aFilm(service, shop)
    const ahead = await aFilm(service, shop, 1190, { pre_sales: true, published_at: '2100-01-01T00:00:00' })
    await sql`update products set has_content = false where company_id = ${shop.companyId} and id = ${ahead.id}`.execute(
      service.db,
    )
    assert.deepEqual(await idsOf(shop, 'sale_status=buyable'), [bought.id, ahead.id])
    assert.deepEqual(await idsOf(shop, 'sale_status=not_buyable'), [film, mug])
    assert.equal((await idsOf(shop, 'sale_status=any')).length, 5)
    assert.deepEqual(await idsOf(shop, `sale_status=not_buyable&product_type=6&since_id=${film}`), [mug])
    for (const wrong of ['sold', '1'])
      assertBlames(await shop.get(`/api/products.json?sale_status=${wrong}`), ['sale_status'])
    assert.deepEqual(await idsOf(await service.openShop(), 'sale_status=not_buyable'), [])
  })

  test('keeps to low_stock: fewer pieces than the company wants to be warned at', async () => {
    const { shop } = await stocked()
    const [few, enough] = [await someGoods(service, shop, 4), await someGoods(service, shop, 5)]
    await someGoods(service, shop)
    assert.deepEqual(await idsOf(shop, 'low_stock=1'), [])
    await setCompany(service, shop, { inventory_management_active: true, warn_at_stock_level_below: 5 })
    assert.deepEqual(await idsOf(shop, 'low_stock=1'), [few.id])
    assert.deepEqual(await idsOf(shop, `low_stock=true&ids=${few.id},${enough.id}`), [few.id])
    assert.equal((await idsOf(shop, 'low_stock=0')).length, 6)
    assertBlames(await shop.get('/api/products.json?low_stock=few'), ['low_stock'])
  })

  test('keeps to product_type', async () => {
    const { shop, book } = await stocked()
    assert.deepEqual(await idsOf(shop, 'product_type=16'), [book])
    assert.deepEqual(await idsOf(shop, 'product_type=9'), [])
    for (const wrong of ['film', '0x10', '-1', '99999999999999999999'])
      assertBlames(await shop.get(`/api/products.json?product_type=${wrong}`), ['product_type'])
  })

  test('keeps to ids, of either kind, and ignores those that are not there', async () => {
    const { shop, film, book, mug, productIds } = await stocked()
    const foreign = await aProduct(await service.openShop())
    assert.deepEqual(await idsOf(shop, `ids=${mug},${film}`), [film, mug])
    assert.deepEqual(await idsOf(shop, `ids=${mug},%20${film},${film}`), [film, mug])
    assert.deepEqual(await idsOf(shop, `ids=${productIds[1].product_id.toLowerCase()},${film}`), [film, book])
    assert.deepEqual(await idsOf(shop, `ids=${foreign.id},${foreign.product_id},${film}`), [film])
    assert.deepEqual(await idsOf(shop, 'ids=9223372036854775808,99999999999999999999999,0'), [])
    for (const wrong of ['x;y', '1,%00', "1'"]) assertBlames(await shop.get(`/api/products.json?ids=${wrong}`), ['ids'])
  })

  test('keeps to ids greater than since_id', async () => {
    const { shop, film, book, mug } = await stocked()
    assert.deepEqual(await idsOf(shop, `since_id=${film}`), [book, mug])
    assert.deepEqual(await idsOf(shop, `since_id=${mug}`), [])
    assert.deepEqual(await idsOf(shop, 'since_id=0'), [film, book, mug])
    for (const wrong of ['-1', 'x', '9223372036854775808'])
      assertBlames(await shop.get(`/api/products.json?since_id=${wrong}`), ['since_id'])
  })

  test('finds by query=field:value in each of the five fields', async () => {
    const { shop, film, book, mug, productIds } = await stocked()
    const cases: [string, number[]][] = [
      ['title:way', [film, book]],
      ['title:WAY', [film, book]],
      ['title:home long', [film]],
      ['title:lo', [film]],
      ['title:the long way home', [film]],
      ['title:mug', [mug]],
      ['title:nothing', []],
      ['comment:ask', [film, mug]],
      ['comment:pot', [mug]],
      ['comment:***', []],
      ['version:1.0', [film]],
      ['version:2.0B', [book]],
      ['version:2', []],
      [`product_id:${productIds[1].product_id.toLowerCase()}`, [book]],
      ['product_id:FFFF', []],
      ['product_type:6', [mug]],
      ['product_type:six', []],
      ['product_type:99999999999', []],
      [' title : way ', [film, book]],
    ]
    for (const [query, found] of cases)
      assert.deepEqual(await idsOf(shop, `query=${encodeURIComponent(query)}`), found, query)
  })

  test('finds a title by itself where it has no words, and by words that look like operators', async () => {
    const shop = await service.openShop()
    const titles = ['***', "Rock'n'roll & more | !not (:*)", 'a\\b', 'http://example.com/x?y=1:2', 'naïve-café', '映画']
    for (const title of titles) {
      const { id } = await aProduct(shop, { title })
      assert.deepEqual(await idsOf(shop, `query=${encodeURIComponent(`title:${title}`)}`), [id], title)
    }
  })

  test('refuses a query in another form, or of another field', async () => {
    const { shop } = await stocked()
    for (const wrong of [
      'way',
      'title',
      'title:',
      'title: ',
      ':way',
      'id:1',
      'constructor:x',
      'supplier:x',
      'x'.repeat(501),
    ])
      for (const path of ['products', 'products/count'])
        assertBlames(await shop.get(`/api/${path}.json?query=${wrong}`), ['query'])
    assert.equal((await shop.get('/api/products.json?query=title:%00')).status, 422)
  })

  test('keeps to all of several filters', async () => {
    const { shop, film, book, mug } = await stocked()
    assert.deepEqual(await idsOf(shop, 'query=title:way&published_status=published'), [film])
    assert.deepEqual(await idsOf(shop, `query=title:way&since_id=${film}`), [book])
    assert.deepEqual(await idsOf(shop, `ids=${film},${mug}&product_type=6&created_at_min=2024-01-03`), [mug])
    assert.deepEqual(await idsOf(shop, 'updated_at_min=2024-02-02&updated_at_max=2024-02-03&product_type=16'), [book])
    assert.deepEqual(await idsOf(shop, 'published_at_min=2024-01-01&published_status=unpublished'), [book])
    assert.deepEqual(await idsOf(shop, 'product_type=6&published_status=unpublished'), [])
    assertBlames(await shop.get('/api/products.json?product_type=x&since_id=y'), ['product_type', 'since_id'])
  })

  test('ignores parameters that it does not know', async () => {
    const { shop, film, book, mug } = await stocked()
    assert.deepEqual(await idsOf(shop, 'colour=red&order=title'), [film, book, mug])
  })

  test('never answers with the products of another company', async () => {
    const { film, productIds } = await stocked()
    const stranger = await service.openShop()
    for (const query of ['', `ids=${film}`, `ids=${productIds[0].product_id}`, 'query=title:way', 'product_type=1'])
      assert.deepEqual(await idsOf(stranger, query), [], query)
  })
})
