import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { inTransaction } from '#platform/db/transaction.ts'
import { aProduct, assertBlames, readProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { createProducts } from '../commands.ts'

const service = useService()
const NOW = new Date('2024-06-10T09:30:00Z')

/** Adds this many products of three types to a shop, every other one hidden. */
async function filled(count: number): Promise<{ shop: Shop; ids: number[] }> {
  const shop = await service.openShop()
  const inputs = Array.from({ length: count }, (_, index) => ({
    input: { product_type: [1, 6, 16][index % 3] ?? 1, title: `Ding ${index} ö`, published: index % 2 === 0 },
    now: new Date(NOW.getTime() + index * 1000),
  }))
  await inTransaction(service.db, (tx) => createProducts(tx, shop.companyId, inputs))
  const { body } = await shop.get('/api/products.json?fields=id')
  return { shop, ids: body.products.map(({ id }: Wire) => id) }
}

const ids = (body: Wire): number[] => body.products.map(({ id }: Wire) => id)

/** Reads the pages of a list by following their links. */
async function follow(shop: Shop, path: string): Promise<Wire[][]> {
  const pages: Wire[][] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await shop.get(next)
    assert.equal(answer.status, 200, answer.text)
    pages.push(answer.body.products)
    const link = answer.headers.get('link')
    const [, url] = /^<([^>]+)>; rel="next"$/.exec(link ?? '') ?? []
    assert.equal(url === undefined, link === null)
    assert.ok(url === undefined || url.startsWith(`${service.url}/api/products.json?`))
    next = url?.slice(service.url.length)
  }
  return pages
}

describe('GET /api/products.json', () => {
  test('answers every product, by id, however many there are', async () => {
    for (const count of [0, 1, 250, 251, 620]) {
      const { shop } = await filled(count)
      const answer = await shop.get('/api/products.json')
      assert.equal(answer.headers.get('link'), null)
      assert.equal(answer.body.products.length, count)
      const found = ids(answer.body)
      assert.deepEqual(
        found,
        [...new Set(found)].sort((a, b) => a - b),
      )
      assert.equal((await shop.get('/api/products/count.json')).body.count, count)
    }
  })

  test('shows each product as a single read shows it', async () => {
    const shop = await service.openShop()
    const made = [await aProduct(shop, { title: 'Füm 🎬' }), await aProduct(shop, { product_type: 6 })]
    const { body } = await shop.get('/api/products.json')
    assert.deepEqual(body.products, made)
    for (const product of made) assert.deepEqual(await readProduct(shop, product.id), product)
  })

  test('gives pages of 50, or of limit, by number under either spelling', async () => {
    const { shop, ids: all } = await filled(120)
    const pages: [string, number[]][] = [
      ['page=1', all.slice(0, 50)],
      ['Page=2', all.slice(50, 100)],
      ['page=3', all.slice(100)],
      ['page=4', []],
      ['page=999999999', []],
      ['page=0', all.slice(0, 50)],
      ['limit=7', all.slice(0, 7)],
      ['limit=7&page=3', all.slice(14, 21)],
      ['limit=7&Page=', all.slice(0, 7)],
      ['Page=', all],
      ['page=', all],
      ['limit=250', all],
      [`limit=5&since_id=${all[9]}`, all.slice(10, 15)],
      [`limit=5&page=2&since_id=${all[9]}`, all.slice(15, 20)],
    ]
    for (const [query, expected] of pages)
      assert.deepEqual(ids((await shop.get(`/api/products.json?${query}`)).body), expected, query)
  })

  test('refuses a limit or page that is none', async () => {
    const shop = await service.openShop()
    for (const limit of ['0', '251', '-1', 'x', '1.5', '9223372036854775808'])
      assertBlames(await shop.get(`/api/products.json?limit=${limit}`), ['limit'])
    for (const page of ['-1', 'x', '1.5', '9223372036854775808'])
      assertBlames(await shop.get(`/api/products.json?page=${page}`), ['page'])
  })

  test('names the next page by key, keeps the filters, and forgets the token', async () => {
    const { shop, ids: all } = await filled(12)
    const path = `/api/products.json?page=2&limit=1&product_type=1&fields=id,title&access_token=${shop.token}`
    const answer = await shop.get(path)
    const [, url = ''] = /^<([^>]+)>/.exec(answer.headers.get('link') ?? '') ?? []
    const { searchParams } = new URL(url)
    assert.deepEqual(Object.fromEntries(searchParams), {
      limit: '1',
      product_type: '1',
      fields: 'id,title',
      since_id: String(all[3]),
    })
    const single = await shop.get('/api/products.json?limit=12')
    assert.equal(single.headers.get('link'), null)
  })

  test('loses and repeats nothing when products come and go while its pages are followed', async () => {
    const { shop, ids: all } = await filled(9)
    const first = await shop.get('/api/products.json?limit=3')
    await shop.delete(`/api/products/${all[0]}.json`)
    await aProduct(shop)
    const [, url = ''] = /^<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? []
    const rest = (await follow(shop, url.slice(service.url.length))).flat()
    assert.deepEqual(
      rest.slice(0, 6).map(({ id }) => id),
      all.slice(3),
    )
    assert.equal(rest.length, 7)
  })

  // For any limit and filters, the pages together are the whole list, each product once.
  test('has pages that together are the list', async () => {
    const { shop } = await filled(90)
    const filter = fc.constantFrom(
      '',
      'product_type=6',
      'published_status=published',
      'created_at_min=2024-06-10T09:30:40',
      'query=title:ding',
      'since_id=5',
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), fc.array(filter, { maxLength: 3 }), async (limit, filters) => {
        const query = [...new Set(filters)].filter((part) => part !== '').join('&')
        const whole = await shop.get(`/api/products.json?${query}`)
        const pages = await follow(shop, `/api/products.json?limit=${limit}&${query}`)
        assert.deepEqual(pages.flat(), whole.body.products)
        for (const page of pages.slice(0, -1)) assert.equal(page.length, limit)
        const byNumber = await Promise.all(
          pages.map((_, index) => shop.get(`/api/products.json?limit=${limit}&page=${index + 1}&${query}`)),
        )
        assert.deepEqual(
          byNumber.flatMap(({ body }) => body.products),
          whole.body.products,
        )
        const { body } = await shop.get(`/api/products/count.json?${query}`)
        assert.equal(body.count, whole.body.products.length)
      }),
      { numRuns: 25 },
    )
  })
})

describe('fields', () => {
  test('choose what lists and single reads show, at the first level', async () => {
    const { shop, ids: all } = await filled(260)
    const { body } = await shop.get('/api/products.json?fields=title,%20id,unknown,locales.title')
    assert.equal(body.products.length, 260)
    assert.deepEqual(body.products[3], { id: all[3], title: 'Ding 3 ö' })
    const one = await shop.get(`/api/products/${all[0]}.json?fields=id,images`)
    assert.deepEqual(one.body, { product: { id: all[0], images: [] } })
  })

  test('are all when none are named, and none when all are unknown', async () => {
    const { shop, ids: all } = await filled(1)
    const whole = await readProduct(shop, all[0] ?? 0)
    for (const fields of ['', ',', '%20'])
      assert.deepEqual((await shop.get(`/api/products/${all[0]}.json?fields=${fields}`)).body.product, whole)
    assert.deepEqual((await shop.get('/api/products.json?fields=colour')).body, { products: [{}] })
    assert.deepEqual((await shop.get('/api/products.json?fields=__proto__,constructor')).body, { products: [{}] })
  })
})

describe('ETag', () => {
  test('says whether a product changed since it was read', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop)
    const path = `/api/products/${id}.json`
    const etag = (await shop.get(path)).headers.get('etag') ?? ''
    assert.match(etag, /^W\/"[^"]+"$/)
    for (const sent of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
      const answer = await shop.get(path, undefined, { 'if-none-match': sent })
      assert.deepEqual([answer.status, answer.text], [304, ''])
    }
    assert.equal((await shop.get(`${path}?fields=id`, undefined, { 'if-none-match': etag })).status, 200)
    await shop.put(path, { product: { title: 'Home' } })
    const changed = await shop.get(path, undefined, { 'if-none-match': etag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), etag)
  })
})
