import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { updatePrice } from '#catalog/prices/commands.ts'
import { statementCount } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import {
  aCategory,
  aLicense,
  aPrice,
  aProduct,
  BUY,
  RENT,
  readCategory,
  usePictureHost,
  type Wire,
} from '#test/factories.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { aFilm, someGoods } from '#test/orders.ts'
import { mirrorAll } from '#test/sales.ts'

const service = useService()
const host = usePictureHost()

/** Opens pages of a shop below the address of the service. */
async function storefront(attributes: object = {}) {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const changed = await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: attributes })
  assert.equal(changed.status, 200, changed.text)
  const ask = (path = '/', headers: Record<string, string> = {}): Promise<Answer> =>
    service.call('GET', `/shop/${id}${path}`, { headers: { accept: 'text/html', ...headers } })
  return { shop, id, ask }
}

const twoPrices = (service_: typeof service, shop: Shop) =>
  Promise.all([
    aPrice(service_, shop, {
      currencies: [
        { currency: 'eur', price: 1499 },
        { currency: 'usd', price: 1599 },
      ],
      countries: [{ country_code: 'CH', price: 1690 }],
    }),
    aPrice(service_, shop, { currencies: [{ currency: 'eur', price: 399 }] }),
    aPrice(service_, shop, { currencies: [{ currency: 'eur', price: 1999 }] }),
  ])

async function film(shop: Shop, attributes: object = {}): Promise<Wire> {
  const [buy, rent, former] = await twoPrices(service, shop)
  return aFilm(service, shop, 0, {
    product_type: 9,
    title: 'The Last Ferry',
    runtime: 6420,
    price_license_binding: [
      { license_id: BUY, price_id: buy.id, compare_price_id: former.id, hd: true },
      { license_id: RENT, price_id: rent.id, hd: false },
    ],
    ...attributes,
  })
}

const mainOf = ({ text }: Answer) => /<main[\s\S]*<\/main>/.exec(text)?.[0]?.replace(/\s+/g, ' ') ?? ''

describe('the page of a product', () => {
  test('says what it is, what it costs, and under which terms', async () => {
    const { shop, ask } = await storefront()
    const { id, product_id } = await film(shop, {
      tagging: { year: 2025 },
      tagging_director: [{ person: 'Ingrid Solheim' }],
      locales: [{ language_id: 'en', title: 'The Last Ferry', description: '<p>One <b>crossing</b> left.</p>' }],
    })
    const answer = await ask(`/products/${id}-the-last-ferry`)
    assert.equal(answer.status, 200, answer.text)
    const main = mainOf(answer)
    for (const words of [
      '<h1 dir="auto">The Last Ferry</h1>',
      '<li>2025</li><li>1 hr 47 min</li>',
      '€14.99',
      '€19.99</s>',
      'Rent for 24 hours',
      '€3.99',
      'For 24 hours from first use',
      'On 1 device at a time',
      '<span class="chip">HD</span>',
      '<span class="chip">SD</span>',
      'Ingrid Solheim',
      '<p>One <b>crossing</b> left.</p>',
      'Prices include tax.',
    ])
      assert.ok(main.includes(words), `${words} in ${main}`)
    assert.match(main, /action="\/shop\/\d+\/cart">.*Buy for €14\.99.*Rent for €3\.99/)
    assert.match(answer.text, /<link rel="canonical" href="http:\/\/\d+\.localhost:\d+\/products\/\d+-the-last-ferry">/)
    assert.equal((await ask(`/products/${product_id.toLowerCase()}`)).status, 200)
    const [, json = ''] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(answer.text) ?? []
    const [product, crumbs] = JSON.parse(json)['@graph']
    assert.deepEqual([product['@type'], product.sku, product.offers.length], ['Product', product_id, 2])
    assert.deepEqual([product.offers[0].price, product.offers[0].priceCurrency], ['14.99', 'EUR'])
    assert.equal(crumbs['@type'], 'BreadcrumbList')
  })

  test('has the price of the country and the language of the visitor', async () => {
    const locales = [{ language_id: 'en' }, { language_id: 'de', shop_name: 'Laden' }]
    const { shop, ask } = await storefront({ locales })
    const { id } = await film(shop, {
      locales: [
        { language_id: 'en', title: 'The Last Ferry' },
        { language_id: 'de', title: 'Die letzte Fähre' },
      ],
    })
    const swiss = mainOf(await ask(`/products/${id}`, { 'accept-language': 'de-CH' }))
    assert.match(swiss, /Die letzte Fähre/)
    assert.match(swiss, /16[.,]90/)
    assert.match(swiss, /Leihen für 24 Stunden/)
    assert.match(mainOf(await ask(`/products/${id}`, { 'accept-language': 'en-US' })), /\$15\.99/)
    assert.match(mainOf(await ask(`/products/${id}`, { 'accept-language': 'en-GB' })), /€14\.99/)
    assert.match((await ask(`/products/${id}?lang=de`)).text, /<html lang="de"/)
  })

  test('tells what is not for sale: in this country, out of stock, before its release', async () => {
    const { shop, ask } = await storefront()
    const onlyFrance = await aLicense(service, shop, { restriction_country: [{ country_id: 'FR' }] })
    const price = await aPrice(service, shop)
    const bindings = { price_license_binding: [{ license_id: onlyFrance.id, price_id: price.id }] }
    const french = await aFilm(service, shop, 999, bindings)
    assert.match(mainOf(await ask(`/products/${french.id}`)), /Not sold in your country/)
    assert.doesNotMatch(mainOf(await ask(`/products/${french.id}`, { 'accept-language': 'fr-FR' })), /Not sold/)
    const mug = await someGoods(service, shop, 0)
    assert.match(mainOf(await ask(`/products/${mug.id}`)), /Sold out/)
    const ahead = { published_at: '2199-01-01T00:00:00', pre_sales: true }
    const soon = await aFilm(service, shop, 999, ahead)
    assert.match(mainOf(await ask(`/products/${soon.id}`)), /Released on 1 January 2199/)
  })

  test('shows what a collection contains, and its pictures', async () => {
    const { shop, ask } = await storefront()
    const part = await film(shop, { title: 'Part one' })
    const price = await aPrice(service, shop)
    const offers = [{ license_id: BUY, price_id: price.id }]
    const images = [{ src: host.url('/a.png') }, { src: host.url('/b.png') }]
    const included = { included_products: [{ product_id: part.product_id }], price_license_binding: offers, images }
    const { id } = await aProduct(shop, { product_type: 8, title: 'Both', published: true, ...included })
    await service.runJobs()
    const main = mainOf(await ask(`/products/${id}`))
    assert.match(main, /What is inside<\/h2> <ul class="parts">.*Part one/)
    assert.match(
      main,
      /<img src="\/pictures\/\d+\/\d+\/[0-9a-f]{32}\.png" alt="" width="40" height="30" fetchpriority="high"/,
    )
    assert.equal(main.match(/<ul class="thumbs"><li>/g)?.length, 1)
  })

  test('of a mirrored product has the prices and pictures of its owner', async () => {
    const { shop, ask } = await storefront()
    const owner = await service.openShop()
    await film(owner, { title: 'Borrowed', images: [{ src: host.url('/c.png') }] })
    await service.runJobs()
    await mirrorAll(service, owner, shop)
    await service.runJobs()
    const [mirror] = (await shop.get('/api/products.json')).body.products
    await shop.put(`/api/products/${mirror.id}.json`, { product: { published: true } })
    const main = mainOf(await ask(`/products/${mirror.id}`))
    assert.match(main, /€14\.99/)
    assert.ok(main.includes(`/pictures/${owner.companyId}/`), main)
    await inTransaction(service.db, async (tx) => {
      const prices = tx.selectFrom('prices').select('id').where('company_id', '=', owner.companyId)
      const { id } = await prices.orderBy('id').executeTakeFirstOrThrow()
      await updatePrice(tx, owner, String(id), { currencies: [{ currency: 'eur', price: 1777 }] }, new Date())
    })
    assert.match(mainOf(await ask(`/products/${mirror.id}`)), /€17\.77/)
  })

  test('is not there for what does not appear in the shop, nor for that of another company', async () => {
    const { shop, ask } = await storefront()
    const hidden = await film(shop, { published: false })
    const other = await film(await service.openShop())
    for (const path of [`${hidden.id}`, `${other.id}`, `${other.product_id}`, '0', 'x', '99999999999999999999', '%00'])
      assert.equal((await ask(`/products/${path}`)).status, 404, path)
  })
})

describe('the page of a category', () => {
  test('lists what is in it and below it, in the order of the owner, page by page', async () => {
    const { shop, ask } = await storefront()
    const films = await aCategory(shop, { title: 'Films', enabled: true })
    const short = await aCategory(shop, { title: 'Short films', enabled: true, parent_id: films.id })
    const off = await aCategory(shop, { title: 'Secret', enabled: false, parent_id: films.id })
    const price = await aPrice(service, shop)
    const bindings = { price_license_binding: [{ license_id: BUY, price_id: price.id }] }
    for (let index = 0; index < 32; index += 1)
      await aProduct(shop, {
        title: `Film ${index}`,
        published: index !== 3,
        ...bindings,
        categories: [{ category_id: index % 2 === 0 ? films.id : short.id }],
      })
    await aProduct(shop, { title: 'Hidden', published: true, ...bindings, categories: [{ category_id: off.id }] })
    const first = await ask(`/categories/${films.id}`)
    const titles = (answer: Answer) =>
      [...mainOf(answer).matchAll(/<span class="t">([^<]+)</g)].map(([, title]) => title)
    assert.equal(titles(first).length, 30)
    assert.deepEqual(titles(first).slice(0, 4), ['Film 0', 'Film 1', 'Film 2', 'Film 4'])
    assert.ok(mainOf(first).includes(`/categories/${short.id}-short-films">Short films</a>`))
    assert.doesNotMatch(mainOf(first), /Secret|Hidden/)
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first.text) ?? []
    const second = await ask(`/categories/${films.id}${next}`)
    assert.deepEqual(titles(second), ['Film 31'])
    assert.doesNotMatch(second.text, /rel="next"/)
    assert.equal(titles(await ask(`/categories/${short.id}`)).length, 15)
    assert.equal((await ask(`/categories/${off.id}`)).status, 404)
    const { entries } = await readCategory(shop, films.id)
    const reversed = entries.toReversed().map(({ product_id }: Wire) => ({ product_id }))
    await shop.put(`/api/categories/${films.id}.json`, { category: { entries: reversed } })
    assert.equal(titles(await ask(`/categories/${films.id}`))[0], 'Film 30')
  })

  test('needs as many statements with one product as with many, and so does that of a product', async () => {
    const { shop, ask } = await storefront()
    const { id } = await aCategory(shop, { title: 'Films', enabled: true })
    const product = await film(shop, { categories: [{ category_id: id }] })
    let number = 0
    /** Each address is a new one, because pages are kept. A notice of an earlier change may have more be read. */
    const count = async (path: string) => {
      let fewest = Number.POSITIVE_INFINITY
      for (const end = number + 5; number < end; number += 1) {
        const start = statementCount()
        assert.equal((await ask(`${path}?q=ferry&number=${number}`)).status, 200)
        fewest = Math.min(fewest, statementCount() - start)
      }
      return fewest
    }
    const paths = ['/', `/categories/${id}`, `/products/${product.id}`, '/search']
    const one = await Array.fromAsync(paths, count)
    for (let index = 0; index < 5; index += 1) await film(shop, { categories: [{ category_id: id }] })
    assert.deepEqual(await Array.fromAsync(paths, count), one)
    // The shop is kept, so this is what the page shows.
    assert.deepEqual(one, [2, 3, 3, 2])
  })
})

describe('the home page', () => {
  test('shows the newest product with a picture, and a shelf for each category', async () => {
    const { shop, ask } = await storefront()
    const music = await aCategory(shop, { title: 'Music', enabled: true, position: 1 })
    const films = await aCategory(shop, { title: 'Films', enabled: true, position: 0 })
    await aCategory(shop, { title: 'Empty', enabled: true, position: 2 })
    await film(shop, { title: 'Hero', categories: [{ category_id: films.id }], images: [{ src: host.url('/h.png') }] })
    await film(shop, { title: 'Album', categories: [{ category_id: music.id }] })
    await service.runJobs()
    const main = mainOf(await ask())
    assert.match(main, /<h1 id="hero-t">Hero<\/h1>/)
    assert.deepEqual(
      [...main.matchAll(/<h2 id="shelf-\d">(\w+)</g)].map(([, title]) => title),
      ['Films', 'Music'],
    )
    assert.match(main, /From €3\.99/)
  })
})

describe('the search', () => {
  test('finds words in titles, and suggests while somebody types', async () => {
    const { shop, ask } = await storefront()
    await film(shop)
    await film(shop, { title: 'Northbound' })
    await film(shop, { title: 'Unpublished ferry', published: false })
    const found = mainOf(await ask('/search?q=last%20fer'))
    assert.match(found, /The Last Ferry/)
    assert.doesNotMatch(found, /Northbound|Unpublished/)
    assert.match(mainOf(await ask('/search?q=%3Cscript%3E')), /Nothing found for “&lt;script&gt;”/)
    const { body } = await ask('/search/suggestions?q=fer')
    assert.deepEqual(
      body.suggestions.map(({ title }: Wire) => title),
      ['The Last Ferry'],
    )
    for (const query of ["'", ':*', '&|!', '%00', '', 'x'.repeat(100)])
      assert.equal((await ask(`/search?q=${encodeURIComponent(query)}`)).status, 200, query)
    assert.equal((await ask(`/search?q=${'x'.repeat(101)}`)).status, 422)
  })

  test('finds titles in every language before the words of descriptions, and leads to the rest', async () => {
    const { shop, ask } = await storefront({ locales: [{ language_id: 'en' }, { language_id: 'de' }] })
    const german = { language_id: 'de', title: 'Die letzte Fähre', description: '<p>Ein <b>Nordlicht</b></p>' }
    const english = { language_id: 'en', title: 'The Last Ferry', description: '<p>One crossing left.</p>' }
    await film(shop, { locales: [english, german] })
    await film(shop, { title: 'Nordlicht' })
    await film(shop, { title: 'Older', locales: [{ language_id: 'en', title: 'Older', description: 'Nordlicht' }] })
    const titles = async (query: string, language = 'en') => {
      const main = mainOf(await ask(`/search?${query}`, { 'accept-language': language }))
      return [...main.matchAll(/<span class="t">([^<]+)</g)].map(([, title]) => title)
    }
    assert.deepEqual(await titles('q=letzte%20f%C3%A4h', 'en'), ['The Last Ferry'])
    assert.deepEqual(await titles('q=last', 'de'), ['Die letzte Fähre'])
    assert.deepEqual(await titles('q=ferry%20crossing'), ['The Last Ferry'])
    assert.deepEqual(await titles('q=nordlicht'), ['Nordlicht', 'Older', 'The Last Ferry'])
    const { id } = (await shop.get('/api/products.json')).body.products.find(({ title }: Wire) => title === 'Older')
    assert.deepEqual(await titles(`q=nordlicht&after=texts-${id}`), ['The Last Ferry'])
    // The words of a company are found in its own shops alone, and follow every change.
    const other = await storefront()
    assert.doesNotMatch(mainOf(await other.ask('/search?q=nordlicht')), /class="item"/)
    const changed = await shop.put(`/api/products/${id}.json`, {
      product: { locales: [{ language_id: 'en', title: 'Changed' }] },
    })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(await titles('q=changed'), ['Changed'])
  })
})

describe('search engines', () => {
  test('get every page that appears, under the recommended domain', async () => {
    const { shop, id, ask } = await storefront({ locales: [{ language_id: 'en', terms: '<p>Be kind.</p>' }] })
    const category = await aCategory(shop, { title: 'Films & more', enabled: true })
    const shown = await film(shop)
    await film(shop, { title: 'Hidden', published: false })
    const { text, headers } = await ask('/sitemap.xml')
    const origin = `http://${id}.localhost:${new URL(service.url).port}`
    assert.equal(headers.get('content-type'), 'application/xml; charset=utf-8')
    assert.deepEqual(
      [...text.matchAll(/<loc>([^<]+)</g)].map(([, address]) => address),
      [
        `${origin}/`,
        `${origin}/pages/terms`,
        `${origin}/categories/${category.id}-films-more`,
        `${origin}/products/${shown.id}-the-last-ferry`,
      ],
    )
    assert.ok((await ask('/robots.txt')).text.includes(`Sitemap: ${origin}/sitemap.xml`))
  })
})

describe('texts of the owner', () => {
  test('cannot run a script or send a form, wherever they are', async () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)><form action="https://evil.example">'
    const { shop, ask } = await storefront({
      html_tag: `<p>Open <b>all day</b></p>${evil}`,
      meta_tag: `<meta name="verify" content="abc"><meta http-equiv="refresh" content="0;url=https://evil.example">${evil}`,
      locales: [{ language_id: 'en', shop_name: evil, shop_description: evil, seo_title: evil, seo_description: evil }],
      accent_color: '#7B2D72',
    })
    const texts = { language_id: 'en', title: evil, description: evil, seo_title: evil, seo_description: evil }
    const { language_id: language, ...said } = texts
    const category = await aCategory(shop, { title: evil, enabled: true, locales: [{ language, ...said }] })
    const { id } = await film(shop, {
      title: evil,
      locales: [texts],
      categories: [{ category_id: category.id }],
      tagging_genre: [{ value: evil }],
      tagging_director: [{ person: evil }],
      chapters: [{ name: evil, runtime: 1 }],
      tagging_people: [{ role: evil, person: evil }],
    })
    for (const path of [
      '/',
      `/categories/${category.id}`,
      `/products/${id}`,
      `/search?q=${encodeURIComponent(evil)}`,
    ]) {
      const { text, status, headers } = await ask(path)
      assert.equal(status, 200, text)
      assert.doesNotMatch(text, /<script>|<img src=x|onerror="|evil\.example">|http-equiv/, path)
      assert.match(text, /<p>Open <b>all day<\/b><\/p>/)
      assert.match(text, /<meta name="verify" content="abc" ?\/?>/)
      assert.match(headers.get('content-security-policy') ?? '', /script-src 'self';.*frame-ancestors 'none'/)
      assert.equal(headers.get('x-frame-options'), 'DENY')
    }
    const { text } = await service.call('GET', '/assets/accents/7b2d72.css')
    assert.match(text, /--accent:#7b2d72/)
    assert.ok((await ask()).text.includes('/assets/accents/7b2d72.css'))
  })
})

describe('a frame', () => {
  test('may show the shop on the sites that its owner names, and nowhere else', async () => {
    const { ask } = await storefront({ frame_origins: ['https://blog.example.com'] })
    const { headers } = await ask()
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors https:\/\/blog\.example\.com;/)
    assert.equal(headers.get('x-frame-options'), null)
  })
})

describe('the newsletter', () => {
  test('asks by mail, in shops that have one', async () => {
    const { id, ask } = await storefront({ newsletter_enabled: true })
    const send = (email: string, shopId = id) =>
      fetch(`${service.url}/shop/${shopId}/newsletter`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ email }),
        headers: { 'sec-fetch-site': 'same-origin' },
      })
    assert.match((await ask()).text, /<form class="news" method="post"/)
    const answer = await send('jane@example.com')
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, `/shop/${id}/newsletter/sent`])
    assert.match(mainOf(await ask('/newsletter/sent')), /Almost done/)
    const mails = service.db.selectFrom('mails').select('id').where('recipient', '=', 'jane@example.com')
    assert.equal((await mails.execute()).length, 1)
    assert.equal((await send('no address')).status, 422)
    const without = await storefront()
    assert.equal((await send('jane@example.com', without.id)).status, 404)
  })
})
