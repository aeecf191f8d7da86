import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import { updatePrice } from '#catalog/prices/commands.ts'
import { createKnownChanges } from '#history/events/shop-changes.cache.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { statementCount } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createShopCache, type Made, type ShopCacheOptions } from '#shop/cache/cache.ts'
import { HOME } from '#test/checkout.ts'
import { aCustomer } from '#test/customers.ts'
import { aCategory, aPrice, aProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'

declare module '#shop/cache/cache.ts' {
  interface CacheValues {
    test: string
  }
}

const service = useService()

type Said = (subject: string) => void

/** Notices that arrive when the test says so. */
function aCache(options: ShopCacheOptions = {}) {
  const hearers: Said[] = []
  const changes = createKnownChanges({ onAtOnce: (_channel, hear) => void hearers.push(hear) })
  const cache = createShopCache(changes, options)
  const say = (subject: string) => hearers.forEach((hear) => void hear(subject))
  const made = (value: string, more: Partial<Made<string>> = {}) => ({ value, size: 1, isForOthers: true, ...more })
  const keep = (key: string, companyIds: number[], more: Partial<Made<string>> = {}) =>
    cache.share('test', key, { companyIds, since: changes.last() }, async () => made(key, more))
  /** Asks for something that is made when the test says so. */
  const ask = (key: string, companyIds = [1]) => {
    const { promise, resolve, reject } = Promise.withResolvers<Made<string>>()
    let isAsked = false
    const answer = cache.share('test', key, { companyIds, since: changes.last() }, () => {
      isAsked = true
      return promise
    })
    return {
      answer,
      fail: reject,
      isMaking: () => isAsked,
      finish: (value: string, more: Partial<Made<string>> = {}) => resolve(made(value, more)),
    }
  }
  return { cache, say, keep, ask, changes }
}

describe('what is kept', () => {
  test('is found again, as long as no company that it shows has changed', async () => {
    const { cache, say, keep } = aCache()
    await keep('one', [1])
    await keep('two', [2])
    assert.equal(cache.find('test', 'one')?.value, 'one')
    say('1')
    assert.equal(cache.find('test', 'one'), undefined)
    assert.equal(cache.find('test', 'two')?.value, 'two')
    await keep('mirror', [3, 1])
    say('1')
    assert.equal(cache.find('test', 'mirror'), undefined)
    await keep('one', [1])
    say('')
    assert.equal(cache.find('test', 'one'), undefined)
    assert.equal(cache.find('test', 'two'), undefined)
  })

  test('was made of what is there now', async () => {
    const { cache, say, ask, keep } = aCache()
    const old = ask('page')
    say('1')
    old.finish('old')
    assert.equal(await old.answer, 'old')
    assert.equal(cache.find('test', 'page'), undefined)
    let isCurrent = true
    await keep('themed', [1], { isCurrent: () => isCurrent })
    assert.equal(cache.find('test', 'themed')?.value, 'themed')
    isCurrent = false
    assert.equal(cache.find('test', 'themed'), undefined)
  })

  test('takes no more memory than it may, and is gone after a time', async () => {
    const { cache, keep } = aCache({ bytesMax: 25 })
    for (const key of ['1', '2', '3']) {
      await keep(key, [1], { size: 4 })
      cache.find('test', '1')
    }
    assert.deepEqual(
      ['1', '2', '3'].map((key) => cache.find('test', key)?.value),
      ['1', undefined, '3'],
    )
    await keep('empty', [1], { size: 0 })
    assert.equal(cache.find('test', 'empty')?.value, 'empty')
    const { cache: brief, keep: keepBriefly } = aCache({ maxAgeMs: 0 })
    await keepBriefly('page', [1])
    assert.equal(brief.find('test', 'page'), undefined)
  })

  test('is nothing that is about one visitor', async () => {
    const { cache, keep } = aCache()
    assert.equal(await keep('own', [1], { isForOthers: false }), 'own')
    assert.equal(cache.find('test', 'own'), undefined)
  })
})

describe('what several visitors ask for at the same time', () => {
  test('is made once', async () => {
    const { ask } = aCache()
    const [first, ...others] = [ask('page'), ask('page'), ask('page')]
    assert.deepEqual([first.isMaking(), ...others.map(({ isMaking }) => isMaking())], [true, false, false])
    const another = ask('other page')
    assert.ok(another.isMaking())
    first.finish('made')
    assert.deepEqual(await Promise.all([first, ...others].map(({ answer }) => answer)), ['made', 'made', 'made'])
  })

  test('is made again for those who come after a change', async () => {
    const { cache, ask, say } = aCache()
    const early = ask('page')
    say('2')
    const alsoEarly = ask('page')
    assert.ok(!alsoEarly.isMaking(), 'another company has changed')
    say('1')
    const late = ask('page')
    assert.ok(late.isMaking())
    const alsoLate = ask('page')
    assert.ok(!alsoLate.isMaking())
    early.finish('before')
    assert.deepEqual([await early.answer, await alsoEarly.answer], ['before', 'before'])
    const last = ask('page')
    assert.ok(!last.isMaking(), 'what is made after the change is still waited for')
    late.finish('after')
    assert.deepEqual([await late.answer, await alsoLate.answer, await last.answer], ['after', 'after', 'after'])
    assert.equal(cache.find('test', 'page')?.value, 'after')
  })

  test('fails for everybody, and is made anew for the next one', async () => {
    const { ask } = aCache()
    const [first, second] = [ask('page'), ask('page')]
    first.fail(new Error('the database is away'))
    for (const { answer } of [first, second]) await assert.rejects(answer, /the database is away/)
    const next = ask('page')
    assert.ok(next.isMaking())
    next.finish('made')
    assert.equal(await next.answer, 'made')
  })

  test('is made for each of them if it is about one visitor', async () => {
    const { ask } = aCache()
    const [first, second] = [ask('page'), ask('page')]
    second.finish('of the second')
    first.finish('of the first', { isForOthers: false })
    assert.deepEqual([await first.answer, await second.answer], ['of the first', 'of the second'])
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

/** A shop with a product in a category, and the path of its pages. */
async function aShop() {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  const { id: settingId } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 1234 }] })
  const category = await aCategory(shop, { title: 'Films of old' })
  const product = await aProduct(shop, {
    product_type: 6,
    title: 'Lantern',
    published: true,
    manage_stock: true,
    items_in_stock: 1,
    price_license_binding: [{ price_id: price.id }],
    categories: [{ category_id: category.id }],
  })
  return { shop, settingId, price, category, product, base: `/shop/${settingId}` }
}

async function statementsOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; statements: number }> {
  const before = statementCount()
  const result = await work()
  return { result, statements: statementCount() - before }
}

describe('a page of a shop', () => {
  test('shows every change to the next visitor, with and without a cookie, and comes from memory otherwise', async () => {
    const { shop, settingId, price, category, product, base } = await aShop()
    const path = `${base}/products/${product.id}`
    const look = async () => {
      const { text, headers } = await service.call('GET', path)
      return { text, headers, isKept: headers.get('age') !== null }
    }
    /** With a cookie, nothing is read for a page whose content is kept. */
    const lookWithCookie = async () => {
      const { result, statements } = await statementsOf(() =>
        service.call('GET', path, { headers: { cookie: 'any=1' } }),
      )
      assert.equal(result.headers.get('age'), null)
      assert.match(result.headers.get('cache-control') ?? '', /^(private, no-cache|no-store)$/)
      return { text: result.text, isKept: statements === 0 }
    }
    const fetched = async () => {
      const answer = await fetch(`${service.url}${path}`)
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
      while (!(await look()).isKept || !(await lookWithCookie()).isKept);
      await change()
      assert.match((await lookWithCookie()).text, shown, `${name}, with a cookie`)
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
    const prices = (...currencies: { currency: string; price: number }[]) =>
      inTransaction(service.db, (tx) =>
        updatePrice(tx, shop, String(price.id), { currencies }, nowInSeconds(service.clock)),
      )
    await follows('a price', () => prices({ currency: 'eur', price: 4321 }), /43\.21/)
    await follows(
      'a currency',
      () => prices({ currency: 'eur', price: 4321 }, { currency: 'usd', price: 4999 }),
      /name="currency" value="USD"/,
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

  test('stays in memory when something is sold of which there is plenty', async () => {
    const { shop, price, product, base } = await aShop()
    const path = `${base}/products/${product.id}`
    const look = async () => {
      const { text, headers } = await service.call('GET', path)
      return {
        isKept: headers.get('age') !== null,
        left: /(\d+) left/.exec(text)?.[1],
        isSoldOut: /sold out/i.test(text),
      }
    }
    const untilKept = async () => {
      while (!(await look()).isKept);
    }
    const customer = await aCustomer(shop, { addresses: [HOME] })
    const restock = async (items_in_stock: number) => {
      const { status } = await shop.put(`/api/products/${product.id}.json`, { product: { items_in_stock } })
      assert.equal(status, 200)
      await untilKept()
    }
    const sell = async (quantity: number) => {
      const items = [{ product_id: product.product_id, price_id: price.id, quantity }]
      const order = { customer_token: customer.token, line_items: items }
      const { status, text } = await shop.post('/api/orders.json', { order })
      assert.equal(status, 201, text)
    }
    await restock(1000)
    // The notices of earlier changes may still be under way, and drop the page: another try.
    let afterSale: Awaited<ReturnType<typeof look>> | undefined
    for (let sold = 1; sold <= 7; sold += 1) {
      await sell(1)
      const found = await look()
      if (found.isKept) afterSale = found
      await untilKept()
    }
    assert.deepEqual(afterSale, { isKept: true, left: undefined, isSoldOut: false })
    await sell(990)
    assert.deepEqual(await look(), { isKept: false, left: '3', isSoldOut: false })
    await untilKept()
    await sell(1)
    assert.deepEqual(await look(), { isKept: false, left: '2', isSoldOut: false })
    await untilKept()
    await sell(2)
    assert.deepEqual(await look(), { isKept: false, left: undefined, isSoldOut: true })
  })

  test('is never older than a minute, also if its content was made for another visitor before', async ({ mock }) => {
    const { base } = await aShop()
    const path = `${base}/search?q=nothing`
    const start = performance.now()
    let ahead = 0
    mock.method(performance, 'now', () => start + ahead)
    const look = async (cookie = '') =>
      statementsOf(() => service.call('GET', path, { headers: cookie === '' ? {} : { cookie } }))
    // The notices of earlier changes may still be under way, and a content that they overtake is made again: another try.
    let ages: (number | string | null)[] = []
    for (let tries = 0; tries < 10 && ages.join() !== '0,50'; tries += 1) {
      await look('any=1')
      while ((await look('any=1')).statements > 0);
      ahead += 50_000
      ages = [(await look()).statements, (await look()).result.headers.get('age')]
    }
    assert.deepEqual(ages, [0, '50'], 'the content is kept')
    ahead += 11_000
    assert.equal((await look()).result.headers.get('age'), null)
  })

  test('is made once for all who ask for it at the same time', async () => {
    const { base, product } = await aShop()
    const visitors = Array.from({ length: 12 }, (_, number) => (number % 2 === 0 ? { cookie: `any=${number}` } : {}))
    const askAll = (path: string) =>
      statementsOf(() => Promise.all(visitors.map((headers) => service.call('GET', path, { headers: { ...headers } }))))
    let fewest = Number.POSITIVE_INFINITY
    // The notices of earlier changes may still be under way, and what they overtake is made again.
    for (let round = 0; round < 5; round += 1) {
      const { result, statements } = await askAll(`${base}/products/${product.id}?round=${round}`)
      fewest = Math.min(fewest, statements)
      for (const { status, text } of result) {
        assert.equal(status, 200)
        assert.match(text, /<h1 dir="auto">Lantern<\/h1>/)
      }
    }
    // The product, those like it, and those of its category.
    assert.equal(fewest, 3)
  })

  test('that does not exist tells so to everybody who asks for it at the same time', async () => {
    const { base } = await aShop()
    const ask = () => service.call('GET', `${base}/products/999999999`)
    const answers = await Promise.all([ask(), ask(), ask()])
    for (const { status, text } of answers) {
      assert.equal(status, 404)
      assert.match(text, /<\/html>/)
    }
    assert.equal(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size, answers.length)
    assert.equal((await ask()).headers.get('age'), null)
  })

  for (const [accepted, encoding] of [
    ['br', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['BR; q=0.0 , *;q=0.5', 'gzip'],
    ['gzip;q=0, br;q=0', undefined],
    ['gzip, *;q=0', 'gzip'],
    ['identity', undefined],
  ] as const)
    test(`is sent as ${encoding ?? 'it is'} to a browser that accepts ${accepted}`, async () => {
      const { base } = await aShop()
      for (const cookie of [undefined, undefined, 'any=1']) {
        const headers = { 'accept-encoding': accepted, ...(cookie === undefined ? {} : { cookie }) }
        const { status, contentEncoding } = await encodingAt(`${base}/`, headers)
        assert.deepEqual([status, contentEncoding], [200, encoding], cookie ?? 'no cookie')
      }
    })
})

/** Asks without the headers that fetch adds. */
async function encodingAt(path: string, headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get(`${service.url}${path}`, { headers }, resolve).on('error', reject)
  const answer = await promise
  answer.resume()
  return { status: answer.statusCode, contentEncoding: answer.headers['content-encoding'] }
}
