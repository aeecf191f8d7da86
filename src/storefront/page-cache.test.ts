import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { updatePrice } from '#prices/commands.ts'
import { aCategory, aPrice, aProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { createPageCache } from './page-cache.ts'

const service = useService()

type Said = (subject: string) => void

/** Notices that arrive when the test says so. */
function aCache(options: Parameters<typeof createPageCache>[1] = {}) {
  const hearers: Said[] = []
  const cache = createPageCache<string>({ onAtOnce: (_channel, hear) => void hearers.push(hear) }, options)
  return { cache, say: (subject: string) => hearers.forEach((hear) => void hear(subject)) }
}

const request = (url: string, headers: { cookie?: string; acceptLanguage?: string; method?: string } = {}) => ({
  ...{ method: 'GET', host: 'shop.example.com', cookie: '', acceptLanguage: 'en', url },
  ...headers,
})

describe('kept pages', () => {
  test('are found again for the same request, as long as their company has not changed', () => {
    const { cache, say } = aCache()
    const keep = (url: string, companyId: number) =>
      cache.keep(request(url), url, { companyIds: [companyId], since: cache.now(), size: 1 })
    keep('/one', 1)
    keep('/two', 2)
    assert.equal(cache.find(request('/one'))?.page, '/one')
    for (const other of [{ acceptLanguage: 'de' }, { cookie: 'a=1' }, { method: 'HEAD' }])
      assert.equal(cache.find(request('/one', other)), undefined)
    say('1')
    assert.equal(cache.find(request('/one')), undefined)
    assert.equal(cache.find(request('/two'))?.page, '/two')
    cache.keep(request('/mirror'), '/mirror', { companyIds: [3, 1], since: cache.now(), size: 1 })
    say('1')
    assert.equal(cache.find(request('/mirror')), undefined)
    keep('/one', 1)
    say('')
    assert.equal(cache.find(request('/one')), undefined)
    assert.equal(cache.find(request('/two')), undefined)
  })

  test('are not kept if something changed while they were made', () => {
    const { cache, say } = aCache()
    const since = cache.now()
    say('1')
    cache.keep(request('/'), 'old', { companyIds: [1], since, size: 1 })
    assert.equal(cache.find(request('/')), undefined)
  })

  test('take no more memory than they may, and are gone after a time', () => {
    const { cache } = aCache({ bytesMax: 10 })
    for (const url of ['/1', '/2', '/3']) {
      cache.keep(request(url), url, { companyIds: [1], since: 0, size: 4 })
      cache.find(request('/1'))
    }
    assert.deepEqual(
      ['/1', '/2', '/3'].map((url) => cache.find(request(url))?.page),
      ['/1', undefined, '/3'],
    )
    const { cache: brief } = aCache({ maxAgeMs: 0 })
    brief.keep(request('/'), 'old', { companyIds: [1], since: 0, size: 1 })
    assert.equal(brief.find(request('/')), undefined)
  })
})

/** The headers that decide what browsers and caches do with a page. */
function headersOf({ headers }: { headers: Headers }) {
  const names = [
    'content-type',
    'content-security-policy',
    'cache-control',
    'referrer-policy',
    'x-content-type-options',
    'x-frame-options',
  ]
  const vary = headers.get('vary')?.toLowerCase().split(/, ?/).toSorted()
  return [vary, ...names.map((name) => headers.get(name) ?? assert.fail(name))]
}

describe('a page of a shop', () => {
  test('shows every change to the next visitor, and comes from memory otherwise', async () => {
    service.app.baseUrl = service.url
    const shop = await service.openShop()
    const { id: settingId } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 1234 }] })
    const category = await aCategory(shop, { title: 'Films of old' })
    const product = await aProduct(shop, {
      ...{ product_type: 6, title: 'Lantern', published: true, manage_stock: true, items_in_stock: 1 },
      price_license_binding: [{ price_id: price.id }],
      categories: [{ category_id: category.id }],
    })
    const look = async () => {
      const { text, headers } = await service.call('GET', `/shop/${settingId}/products/${product.id}`)
      return { text, headers, isKept: headers.get('age') !== null }
    }
    const fetched = async () => {
      const answer = await fetch(`${service.url}/shop/${settingId}/products/${product.id}`)
      return { headers: answer.headers, text: await answer.text() }
    }
    // The notices of earlier changes may still be under way, and a page that they overtake is not kept.
    const first = await fetched()
    let second = await fetched()
    while (second.headers.get('age') === null) second = await fetched()
    assert.equal(second.text, first.text)
    assert.equal(second.headers.get('content-encoding'), 'gzip')
    assert.deepEqual(headersOf(second), headersOf(first))
    assert.match(second.headers.get('x-request-id') ?? '', /^[\w-]{36}$/)
    const follows = async (name: string, change: () => Promise<unknown>, shown: RegExp) => {
      assert.doesNotMatch((await look()).text, shown, name)
      while (!(await look()).isKept);
      await change()
      const after = await look()
      assert.match(after.text, shown, name)
      assert.ok(!after.isKept, name)
    }
    const put = (path: string, body: object) => async () => {
      const answer = await shop.put(path, body)
      assert.equal(answer.status, 200, answer.text)
    }
    const ofProduct = `/api/products/${product.id}.json`
    const ofShop = `/api/themesettings/${settingId}.json`
    await follows('a title', put(ofProduct, { product: { title: 'Storm lantern' } }), /Storm lantern/)
    await follows(
      'a price',
      () =>
        inTransaction(service.db, (tx) => {
          const currencies = [{ currency: 'eur', price: 4321 }]
          return updatePrice(tx, shop, String(price.id), { currencies }, nowInSeconds(service.clock))
        }),
      /43\.21/,
    )
    await follows(
      'a category',
      put(`/api/categories/${category.id}.json`, { category: { title: 'Light' } }),
      /Light<\/a>/,
    )
    await follows(
      'a text',
      put(ofShop, { ThemeSetting: { locales: [{ language_id: 'en', shop_name: 'Glow' }] } }),
      /Glow/,
    )
    await follows('the stock', put(ofProduct, { product: { items_in_stock: 0 } }), /Sold out/i)
    await follows('a closed shop', put(ofShop, { ThemeSetting: { shop_offline: true } }), /closed|offline/i)
  })
})
