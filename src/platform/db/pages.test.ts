import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createProducts } from '#catalog/products/commands.ts'
import { type Shop, useService } from '#test/harness.ts'
import { plansOf, rowsRead } from '#test/plans.ts'
import { inTransaction } from './transaction.ts'

const service = useService()
const PRODUCTS = 3000

let shop: Shop

/** How many rows of products a list reads, and how many it shows. */
async function readBy(path: string): Promise<{ shown: number; read: number }> {
  let shown = 0
  const plans = await plansOf(service, 'products', async () => {
    shown = (await shop.get(path)).body.products.length
  })
  assert.equal(plans.length, 1)
  return { shown, read: plans.reduce((sum, plan) => sum + rowsRead(plan, 'products'), 0) }
}

describe('a page by number', () => {
  before(async () => {
    shop = await service.openShop()
    const inputs = Array.from({ length: PRODUCTS }, (_, index) => ({
      input: { product_type: 1, title: `Film ${index}`, published: index % 3 > 0 },
      now: new Date(1_700_000_000_000 + index * 1000),
    }))
    await inTransaction(service.db, (tx) => createProducts(tx, shop.companyId, inputs))
    // Where PostgreSQL has not vacuumed yet, it looks up in the table whether an entry of an index is still valid. A vacuum
    // passes over rows whose commit is not on the disk.
    await sql`checkpoint`.execute(service.db)
    await sql`vacuum analyze products`.execute(service.db)
  })

  for (const filter of ['', '&published_status=published', '&product_type=1'])
    test(`reads the rows of the page and none before it: page=30${filter}`, async () => {
      const { shown, read } = await readBy(`/api/products.json?page=30${filter}`)
      assert.equal(shown, 50)
      assert.ok(read > 0 && read <= 51, `${read} rows were read`)
    })

  test('reads no other rows with the newest first either', async () => {
    const { shown, read } = await readBy('/api/products.json?page=30&sort=-id')
    assert.equal(shown, 50)
    assert.ok(read > 0 && read <= 51, `${read} rows were read`)
  })

  test('behind the end reads no row', async () => {
    assert.deepEqual(await readBy('/api/products.json?page=900'), { shown: 0, read: 0 })
  })
})

describe('newest first', () => {
  const idsOf = async (path: string) =>
    (await shop.get(path)).body.products.map(({ id }: { id: number }) => id) as number[]

  test('gives the same entries in the opposite order: whole, by page and by key', async () => {
    const oldest = await idsOf('/api/products.json?fields=id')
    const newest = await idsOf('/api/products.json?fields=id&sort=-id')
    assert.deepEqual(newest, oldest.toReversed())
    assert.deepEqual(await idsOf('/api/products.json?sort=-id&page=3&limit=10'), newest.slice(20, 30))
    const first = await shop.get('/api/products.json?sort=-id&limit=7')
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
    const { pathname, search, searchParams } = new URL(next)
    assert.equal(searchParams.get('before_id'), String(newest[6]))
    assert.deepEqual(await idsOf(`${pathname}${search}`), newest.slice(7, 14))
  })

  test('keeps filters and since_id, ends with the last page, and reads only what it shows', async () => {
    const all = await idsOf('/api/products.json?fields=id&sort=-id&published_status=published')
    assert.equal(all.length, 2000)
    const [newest = 0, , third = 0] = all
    const between = await idsOf(`/api/products.json?published_status=published&since_id=${third}&sort=-id`)
    assert.deepEqual(between, all.slice(0, 2))
    assert.deepEqual(
      await idsOf(`/api/products.json?before_id=${newest}&since_id=${third}&published_status=published`),
      [all[1]],
    )
    const last = await shop.get(`/api/products.json?before_id=${all.at(-3)}&limit=250`)
    assert.equal(last.headers.get('link'), null)
    const { shown, read } = await readBy(`/api/products.json?before_id=${third}&limit=50`)
    assert.ok(shown === 50 && read <= 51, `${read} rows were read for ${shown}`)
  })

  test('is refused by another name', async () => {
    const { status, body } = await shop.get('/api/products.json?sort=comment')
    assert.deepEqual([status, Object.keys(body.errors)], [422, ['sort']])
  })
})

describe('a sorted list', () => {
  const titlesOf = async (path: string) =>
    (await shop.get(path)).body.products.map(({ title }: { title: string }) => title) as string[]

  const otherPage = (headers: Headers, rel: 'next' | 'prev'): string | undefined => {
    const [, address] = new RegExp(`<([^<>]+)>; rel="${rel}"`).exec(headers.get('link') ?? '') ?? []
    return address === undefined ? undefined : `${new URL(address).pathname}${new URL(address).search}`
  }
  const nextOf = (headers: Headers) => otherPage(headers, 'next')

  for (const sort of ['title', '-title', 'updated_at', '-created_at'])
    test(`has every entry once, and its pages are the whole list: ${sort}`, async () => {
      const whole = (await shop.get(`/api/products.json?fields=id&sort=${sort}`)).body.products as { id: number }[]
      assert.equal(new Set(whole.map(({ id }) => id)).size, PRODUCTS)
      const paged: { id: number }[] = []
      for (let path: string | undefined = `/api/products.json?fields=id&sort=${sort}&limit=250`; path !== undefined; ) {
        const { body, headers }: { body: { products: { id: number }[] }; headers: Headers } = await shop.get(path)
        paged.push(...body.products)
        path = nextOf(headers)
      }
      assert.deepEqual(paged, whole)
    })

  test('is in the order of the titles, in either direction, with and without a filter', async () => {
    const ascending = await titlesOf('/api/products.json?fields=title&sort=title&limit=100')
    assert.deepEqual(ascending.slice(0, 4), ['Film 0', 'Film 1', 'Film 10', 'Film 100'])
    assert.deepEqual((await titlesOf('/api/products.json?fields=title&sort=-title&limit=2'))[0], 'Film 999')
    assert.deepEqual(await titlesOf('/api/products.json?fields=title&sort=title&limit=3&published_status=published'), [
      'Film 1',
      'Film 10',
      'Film 100',
    ])
    assert.deepEqual(await titlesOf('/api/products.json?sort=title&limit=10&page=3'), ascending.slice(20, 30))
  })

  test('reads only what it shows, wherever the page lies', async () => {
    const first = await shop.get('/api/products.json?sort=title&limit=50&published_status=any')
    for (const path of ['/api/products.json?sort=title&limit=50', nextOf(first.headers) ?? '']) {
      const { shown, read } = await readBy(path)
      assert.ok(shown === 50 && read <= 51, `${read} rows were read for ${shown}`)
    }
  })

  test('is read backwards as it was read forwards', async () => {
    for (const sort of ['title', '-updated_at']) {
      const forwards: string[] = []
      let path: string | undefined = `/api/products.json?sort=${sort}&limit=250&fields=id&published_status=published`
      let headers = new Headers()
      while (path !== undefined) {
        const answer: { text: string; headers: Headers } = await shop.get(path)
        forwards.push(answer.text)
        headers = answer.headers
        path = otherPage(headers, 'next')
      }
      assert.equal(forwards.length, 8)
      const backwards = [forwards.at(-1) ?? '']
      for (path = otherPage(headers, 'prev'); path !== undefined; ) {
        const answer: { text: string; headers: Headers } = await shop.get(path)
        backwards.unshift(answer.text)
        assert.notEqual(otherPage(answer.headers, 'next'), undefined)
        path = otherPage(answer.headers, 'prev')
      }
      assert.deepEqual(backwards, forwards)
    }
    const first = await shop.get('/api/products.json?sort=title&limit=250')
    assert.equal(otherPage(first.headers, 'prev'), undefined)
    const second = await shop.get(otherPage(first.headers, 'next') ?? '')
    const { shown, read } = await readBy(otherPage(second.headers, 'prev') ?? '')
    assert.ok(shown === 250 && read <= 251, `${read} rows were read for ${shown}`)
  })

  test('keeps entries that have the same value apart', async () => {
    const twins = await service.openShop()
    const same = Array.from({ length: 7 }, () => ({ input: { product_type: 1, title: 'Same' }, now: new Date() }))
    await inTransaction(service.db, (tx) => createProducts(tx, twins.companyId, same))
    for (const sort of ['title', '-updated_at']) {
      const first = await twins.get(`/api/products.json?sort=${sort}&limit=4`)
      const rest = await twins.get(nextOf(first.headers) ?? '')
      const ids = [...first.body.products, ...rest.body.products].map(({ id }: { id: number }) => id)
      assert.equal(new Set(ids).size, 7)
    }
  })

  test('refuses a cursor that it has not written', async () => {
    const written = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url')
    for (const cursor of [
      'x',
      written({}),
      written(['a']),
      written([1, 1]),
      written(['\0', 1]),
      written(['not a time', 1]),
    ]) {
      const { status, body } = await shop.get(`/api/products.json?sort=updated_at&limit=5&cursor=${cursor}`)
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['cursor']], cursor)
    }
  })

  test('of customers goes by names, and of orders by time', async () => {
    for (const path of ['/api/customers.json?sort=-last_name', '/api/orders.json?sort=-created_at'])
      assert.equal((await shop.get(path)).status, 200)
  })
})

describe('the number of all entries', () => {
  const countOf = async (path: string) => (await shop.get(path)).headers.get('total-count')

  test('comes beside a page on request, with its filters', async () => {
    assert.equal(await countOf('/api/products.json?limit=1'), null)
    assert.equal(await countOf('/api/products.json?limit=1&total_count=1'), String(PRODUCTS))
    assert.equal(await countOf('/api/products.json?limit=1&sort=title&page=2&total_count=1'), String(PRODUCTS))
    assert.equal(await countOf('/api/products.json?limit=1&total_count=true&published_status=published'), '2000')
    assert.equal(await countOf('/api/products.json?limit=1&total_count=true&product_type=3'), '0')
  })

  test('is counted no further than anybody needs', async () => {
    const many = await service.openShop()
    const inputs = Array.from({ length: 10_001 }, () => ({ input: { product_type: 1, title: 'One' }, now: new Date() }))
    await inTransaction(service.db, (tx) => createProducts(tx, many.companyId, inputs))
    assert.equal((await many.get('/api/products.json?limit=1&total_count=1')).headers.get('total-count'), '10000+')
  })
})
