import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aPdf } from '#test/books.ts'
import { aLicense, aPrice, aProduct, BUY, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { askHost } from '#test/hosts.ts'
import { signedIn } from '#test/people.ts'
import { aVideo, someVideo, upload } from '#test/uploads.ts'
import { visit } from '#test/visitor.ts'

const service = useService()

async function open() {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const change = async (ThemeSetting: object) => {
    const answer = await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting })
    assert.equal(answer.status, 200, answer.text)
  }
  const guest = (language = 'en') => visit(service.url, { 'accept-language': language })
  return { shop, base: `/shop/${id}`, change, guest }
}

async function sold(shop: Shop, attributes: object = {}, cents = 499, license_id: number = BUY): Promise<Wire> {
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })
  const price_license_binding = [{ license_id, price_id: price.id }]
  return aProduct(shop, { title: 'Tern Island', published: true, price_license_binding, ...attributes })
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const someSound = () => Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(2000, 'x')])
const pathOf = ({ company_id, id, name }: Wire, shop: Shop) => `/files/${company_id ?? shop.companyId}/${id}/${name}`

describe('the page of a product', () => {
  test('plays the trailer in the language of the visitor, and starts nothing by itself', async () => {
    const { shop, base, change, guest } = await open()
    await change({ locales: [{ language_id: 'en' }, { language_id: 'de' }] })
    const film = await sold(shop)
    await upload(service, shop, film, someVideo(), { name: 'main.mp4', role: 'main_hd' })
    const english = await upload(service, shop, film, someVideo(), { name: 'en.mp4', role: 'trailer', language: 'en' })
    const german = await upload(service, shop, film, aVideo(), { name: 'de.mp4', role: 'trailer', language: 'de' })
    await service.runJobs()
    for (const [language, trailer] of [
      ['en', english],
      ['de', german],
    ] as const) {
      const { text } = await guest(language).get(`${base}/products/${film.id}`)
      const [video = ''] = /<video[^>]*>/.exec(text) ?? []
      assert.ok(video.includes(`src="${pathOf(trailer, shop)}"`), text)
      assert.match(video, /controls/)
      assert.doesNotMatch(video, /autoplay/)
      assert.doesNotMatch(text, /main\.mp4/)
      const [link = ''] = /<a class="to-trailer"[\s\S]*?<\/a>/.exec(text) ?? []
      assert.equal(link.includes('1 Min.'), language === 'de', 'only one of them says how long it is')
    }
    const answer = await fetch(`${service.url}${pathOf(english, shop)}`)
    assert.equal(answer.status, 200)
  })

  test('offers the trial of a program, with its version and the page of its maker', async () => {
    const { shop, base, change, guest } = await open()
    await change({ locales: [{ language_id: 'en' }, { language_id: 'de' }] })
    const locales = [
      { language_id: 'en', title: 'Editor', version: '2.1', product_url: 'https://maker.example.com/editor?a=1&b=2' },
      { language_id: 'de', title: 'Editor', version: '2.1 de', product_url: 'javascript:alert(1)' },
    ]
    const program = await sold(shop, { product_type: 4, version: '2.0', locales })
    const main = await upload(service, shop, program, Buffer.from('whole'), { name: 'editor.bin', role: 'main_sd' })
    const trial = await upload(service, shop, program, Buffer.from('trial'), { name: 'try.bin', role: 'trial' })
    const read = async (language: string) => (await guest(language).get(`${base}/products/${program.id}`)).text
    assert.doesNotMatch(await read('en'), /try\.bin/, 'the owner does not allow it yet')
    await shop.put(`/api/products/${program.id}.json`, { product: { allow_download_trial: 1 } })
    const english = await read('en')
    const [section = ''] = /<section class="trial[\s\S]*?<\/section>/.exec(english) ?? []
    assert.ok(section.includes(`href="${pathOf(trial, shop)}"`), english)
    assert.match(section, /Try it free of charge/)
    assert.match(section, /Version 2\.1/)
    assert.ok(section.includes('href="https://maker.example.com/editor?a=1&amp;b=2"'), section)
    assert.ok(!english.includes(pathOf(main, shop)))
    const german = await read('de')
    assert.match(german, /Version 2\.1 de/)
    assert.doesNotMatch(german, /javascript:/)
    const answer = await fetch(`${service.url}${pathOf(trial, shop)}`)
    assert.deepEqual([answer.status, await answer.text()], [200, 'trial'])
  })

  test('says what buyers and search engines look for: supplier, version, GTIN and keywords', async () => {
    const { shop, base, guest } = await open()
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 1200 }] })
    const mug = await aProduct(shop, {
      product_type: 6,
      title: 'Mug',
      published: true,
      version: 'Second series',
      gtin: '4006381333931',
      supplier: 'North & Sons',
      price_license_binding: [{ price_id: price.id }],
      locales: [
        { language_id: 'en', title: 'Mug', seo_title: 'A mug', seo_description: 'Blue.', seo_keywords: 'mug, <blue>' },
      ],
    })
    const { text } = await guest().get(`${base}/products/${mug.id}`)
    assert.match(text, /<title>A mug · /)
    assert.match(text, /<meta name="description" content="Blue\.">/)
    assert.match(text, /<meta name="keywords" content="mug, &lt;blue&gt;">/)
    assert.match(text, /<dt>Supplier<\/dt><dd>North &amp; Sons<\/dd>/)
    assert.match(text, /<dt>What it is<\/dt><dd>Second series<\/dd>/)
    assert.match(text, /<dt>GTIN<\/dt><dd>4006381333931<\/dd>/)
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? []
    const [product] = JSON.parse(json)['@graph']
    assert.equal(product.gtin, '4006381333931')
    assert.deepEqual(product.manufacturer, { '@type': 'Organization', name: 'North & Sons' })
    assert.equal(product.keywords, 'mug, <blue>')
    assert.equal(product.version, undefined, 'it is no program')
  })

  test('makes keywords where the owner has written none, and says the version of a program', async () => {
    const { shop, base, guest } = await open()
    const program = await sold(shop, { product_type: 4, title: 'Editor', version: '2.0' })
    const { text } = await guest().get(`${base}/products/${program.id}`)
    assert.match(text, /<meta name="keywords" content="Editor/)
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? []
    const [product] = JSON.parse(json)['@graph']
    assert.deepEqual(product['@type'], ['Product', 'SoftwareApplication'])
    assert.equal(product.softwareVersion, '2.0')
  })

  test('marks a film without a file as a pre-order, if it is sold before it is complete', async () => {
    const { shop, base, guest } = await open()
    const film = await sold(shop, { pre_sales: true })
    const read = async () => {
      const { text } = await guest().get(`${base}/products/${film.id}`)
      const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? []
      const [{ offers }] = JSON.parse(json)['@graph']
      return { text, availability: offers[0].availability }
    }
    const before = await read()
    assert.match(before.text, /<p class="note">Pre-order\./)
    assert.equal(before.availability, 'https://schema.org/PreOrder')
    await upload(service, shop, film, someVideo(), { role: 'trailer' })
    assert.match((await read()).text, /Pre-order\./, 'a trailer is not the film')
    await upload(service, shop, film, someVideo(), { role: 'main_sd' })
    const after = await read()
    assert.doesNotMatch(after.text, /Pre-order/)
    assert.equal(after.availability, 'https://schema.org/InStock')
  })

  test('says which languages, subtitles and formats a product has', async () => {
    const { shop, base, guest } = await open()
    const pageOf = async ({ id }: Wire) => (await guest().get(`${base}/products/${id}`)).text
    const film = await sold(shop)
    const files = [
      [someVideo(), { name: 'film.mp4', role: 'main_sd', language: 'no' }],
      [someVideo(), { name: 'trailer.mp4', role: 'trailer', language: 'fr' }],
      [Buffer.from('WEBVTT\n'), { name: 'film.de.vtt', role: 'subtitles', language: 'de' }],
    ] as const
    for (const [bytes, about] of files) await upload(service, shop, film, bytes, about)
    const text = await pageOf(film)
    assert.match(text, /<li>Norwegian<\/li>/)
    assert.doesNotMatch(text, /<li>(German|French)<\/li>/)
    assert.match(text, /<dt>Subtitles<\/dt><dd>German<\/dd>/)
    assert.doesNotMatch(text, /<dt>Format<\/dt>/)
    const book = await sold(shop, { product_type: 16 })
    await upload(service, shop, book, await aPdf(1), { name: 'book.pdf', role: 'main_sd' })
    assert.match(await pageOf(book), /<dt>Format<\/dt><dd>PDF<\/dd>/)
  })

  test('says from which age on a work is, in words and to search engines', async () => {
    const languages = ['en', 'de', 'es', 'fr', 'it', 'pt']
    const { shop, base, change, guest } = await open()
    await change({ locales: languages.map((language_id) => ({ language_id })) })
    const { id } = await sold(shop, { tagging: { age: 12 } })
    const read = async (language = 'en') => {
      const { text } = await guest(language).get(`${base}/products/${id}`)
      const [, json = ''] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(text) ?? []
      const [{ '@type': type, typicalAgeRange }] = JSON.parse(json)['@graph']
      const [, name, words] = /<dt>([^<]*)<\/dt><dd>([^<]*(?:12|ages)[^<]*)<\/dd>/.exec(text) ?? []
      return { type, typicalAgeRange, name, words }
    }
    assert.deepEqual(await read(), {
      type: ['Product', 'CreativeWork'],
      typicalAgeRange: '12-',
      name: 'Age rating',
      words: 'From 12',
    })
    const others = await Promise.all(languages.slice(1).map(read))
    assert.deepEqual(
      others.map(({ words }) => words),
      ['Ab 12 Jahren', 'A partir de 12 años', 'À partir de 12 ans', 'Da 12 anni in su', 'A partir de 12 anos'],
    )
    const rate = (age: number | null) => shop.put(`/api/products/${id}.json`, { product: { tagging: { age } } })
    await rate(0)
    assert.deepEqual([(await read()).words, (await read()).typicalAgeRange], ['For all ages', '0-'])
    await rate(null)
    const none = { type: 'Product', typicalAgeRange: undefined, name: undefined, words: undefined }
    assert.deepEqual(await read(), none)
  })

  test('shows previews that the owner uploaded: pictures, sounds and pages', async () => {
    const { shop, base, guest } = await open()
    const track = await sold(shop, { title: 'Track one' })
    const silent = await sold(shop, { title: 'Track two' })
    const included = [track, silent].map(({ product_id }) => ({ product_id }))
    const album = await sold(shop, { title: 'Album', product_type: 8, included_products: included })
    const picture = await upload(service, shop, album, PNG, { name: 'inlay.png', role: 'preview' })
    const sound = await upload(service, shop, album, someSound(), { name: 'medley.mp3', role: 'preview' })
    const pages = await upload(service, shop, album, await aPdf(1), { name: 'booklet.pdf', role: 'preview' })
    const part = await upload(service, shop, track, someSound(), { name: 'thirty.mp3', role: 'preview' })
    await upload(service, shop, silent, someSound(), { name: 'whole.mp3', role: 'main_sd' })
    const { text } = await guest().get(`${base}/products/${album.id}`)
    assert.ok(text.includes(`<img src="${pathOf(picture, shop)}" alt="inlay"`), text)
    assert.ok(text.includes(`src="${pathOf(sound, shop)}" aria-label="medley"`), text)
    assert.ok(text.includes(`href="${pathOf(pages, shop)}">Look inside`), text)
    assert.ok(text.includes(`src="${pathOf(part, shop)}" aria-label="Preview of Track one"`), text)
    assert.equal(text.match(/<audio /g)?.length, 2)
  })
})

describe('the sample of a shop', () => {
  test('is played by everybody, if the company sells it for nothing', async () => {
    const { shop, base, change, guest } = await open()
    const film = await sold(shop, {}, 0)
    const file = await upload(service, shop, film, someVideo(), { role: 'main_sd' })
    const path = pathOf(file, shop)
    const status = async (address: string) => (await fetch(`${service.url}${address}`)).status
    assert.deepEqual([await status(path), (await guest().get(`${base}/sample`)).status], [404, 404])
    await change({ sample_product_id: film.id })
    const page = await guest().get(`${base}/sample`)
    assert.equal(page.status, 200, page.text)
    assert.ok(page.text.includes(`src="${path}"`), page.text)
    const answer = await fetch(`${service.url}${path}`)
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'private, no-store'])
    for (const place of [`${base}/`, `${base}/products/${film.id}`])
      assert.match((await guest().get(place)).text, new RegExp(`href="${base}/sample">Try it for free<`), place)
    assert.equal((await guest().get(`${base}/sample?file=1`)).status, 404)
    await shop.put(`/api/products/${film.id}.json`, { product: { published: false } })
    assert.deepEqual([await status(path), (await guest().get(`${base}/sample`)).status], [404, 404])
  })

  // Naming a product as the sample must not give away what others pay for.
  test('stays closed if it costs something under the license of the sample', async () => {
    const { shop, base, change, guest } = await open()
    const [free, dear] = await Promise.all(
      [0, 999].map((price) => aPrice(service, shop, { currencies: [{ currency: 'eur', price }] })),
    )
    const trial = await aLicense(service, shop, { name: 'Trial' })
    const film = await aProduct(shop, {
      title: 'Film',
      published: true,
      price_license_binding: [
        { license_id: BUY, price_id: dear.id },
        { license_id: trial.id, price_id: free.id },
      ],
    })
    const file = await upload(service, shop, film, someVideo(), { role: 'main_sd' })
    const states = async () => [
      (await guest().get(`${base}/sample`)).status,
      (await fetch(`${service.url}${pathOf(file, shop)}`)).status,
    ]
    await change({ sample_product_id: film.id, sample_product_license_id: BUY })
    assert.deepEqual(await states(), [404, 404])
    assert.doesNotMatch((await guest().get(`${base}/products/${film.id}`)).text, /Try it for free/)
    await change({ sample_product_license_id: trial.id })
    assert.deepEqual(await states(), [200, 200])
  })

  test('is read by everybody, until it costs something', async () => {
    const { shop, base, change, guest } = await open()
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 0 }] })
    const book = await aProduct(shop, {
      title: 'Book',
      product_type: 16,
      published: true,
      price_license_binding: [{ license_id: BUY, price_id: price.id }],
    })
    await upload(service, shop, book, await aPdf(1), { name: 'book.pdf', role: 'main_sd' })
    await change({ sample_product_id: book.id })
    const { text, headers } = await guest().get(`${base}/sample`)
    const [, address = ''] = /<iframe[^>]* src="([^"]+)"/.exec(text) ?? []
    const { origin, pathname, host } = new URL(address)
    assert.ok(headers.get('content-security-policy')?.includes(`frame-src ${origin}`))
    const read = async () => (await askHost(service.url, { host, path: `${pathname}/file` })).status
    assert.equal(await read(), 200)
    await change({ sample_product_id: null })
    assert.equal(await read(), 404)
  })
})

describe('the preview of a product', () => {
  test('shows a hidden one to the users of its company, and to nobody else', async () => {
    const { shop, base, guest } = await open()
    const other = await service.openShop()
    const [hidden, foreign] = [await sold(shop, { published: false }), await sold(other)]
    const [owner, stranger] = [await signedIn(service, shop), await signedIn(service, other)]
    const path = `${base}/products/${hidden.id}/preview`
    const page = await owner.get(path)
    assert.equal(page.status, 200, page.text)
    assert.match(page.text, /Only you can see this page/)
    assert.match(page.text, /<h1 dir="auto">Tern Island<\/h1>/)
    assert.match(page.text, /€4\.99/)
    assert.match(page.text, /<meta name="robots" content="noindex/)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.equal((await guest().get(path)).status, 404)
    assert.equal((await stranger.get(path)).status, 404)
    for (const ref of [`${hidden.id}`, `${foreign.id}/preview`, 'x/preview'])
      assert.equal((await owner.get(`${base}/products/${ref}`)).status, 404, ref)
  })
})
