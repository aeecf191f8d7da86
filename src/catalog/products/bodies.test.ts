import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { aPrice, aProduct, assertBlames, assertPresentedFresh, eventsOf, readProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { ProductInput } from './schema.ts'

const service = useService()
const FILM = { product_type: 1, title: 'Film' }

describe('the body of a product', () => {
  const MALFORMED: [string, unknown][] = [
    ['no wrapper', FILM],
    ['another wrapper', { products: FILM }],
    ['a list in the wrapper', { product: [FILM] }],
    ['null in the wrapper', { product: null }],
    ['text in the wrapper', { product: 'Film' }],
    ['a list', [FILM]],
    ['a text', '"Film"'],
    ['a number', '12'],
    ['null', 'null'],
    ['nothing', undefined],
    ['an empty text', ''],
    ['half an object', '{"product": {'],
  ]
  for (const [what, body] of MALFORMED) {
    test(`is 400 when it is ${what}`, async () => {
      const shop = await service.openShop()
      const { id } = await aProduct(shop)
      for (const answer of [
        await shop.post('/api/products.json', body, { 'content-type': 'application/json' }),
        await shop.put(`/api/products/${id}.json`, body, { 'content-type': 'application/json' }),
      ]) {
        assert.deepEqual([answer.status, answer.body?.code], [400, 'malformed'], answer.text)
        assert.ok(answer.body.error.length > 10)
      }
      assert.equal((await eventsOf(service, shop)).length, 1)
    })
  }

  test('may say numbers, flags and texts in one another’s form', async () => {
    const shop = await service.openShop()
    const price = await aPrice(service, shop)
    const video = await aProduct(shop, {
      product_type: '1',
      runtime: '90',
      published: 'false',
      pre_sales: 'true',
      drm_protected: 1,
      supplier: 12,
      version: 2.5,
      attribute_set_id: '7',
      tagging: { year: '2020' },
      title: 1984,
      chapters: [{ name: 1, runtime: '60' }],
      themes: [{ theme_id: '-1' }],
      price_license_binding: [{ license_id: '3', price_id: String(price.id), hd: 'true' }],
    })
    const { runtime, published, pre_sales, drm_protected, supplier, version, attribute_set_id, title } = video
    assert.deepEqual(
      [runtime, published, pre_sales, drm_protected, supplier, version, attribute_set_id, title],
      [90, false, true, true, '12', '2.5', 7, '1984'],
    )
    assert.equal(video.tagging.year, 2020)
    assert.deepEqual([video.chapters[0].name, video.chapters[0].runtime], ['1', 60])
    assert.equal(video.themes[0].theme_id, -1)
    const [{ id: _id, ...binding }] = video.price_license_binding
    assert.deepEqual(binding, { license_id: 3, price_id: price.id, compare_price_id: null, hd: true })
    const goods = await aProduct(shop, { product_type: '6', weight: '12.5', items_in_stock: '3', manage_stock: 'true' })
    assert.deepEqual([goods.weight, goods.items_in_stock, goods.manage_stock], [12.5, 3, true])
  })

  test('leaves alone what is null, unless null means something', async () => {
    const shop = await service.openShop()
    const goods = await aProduct(shop, {
      product_type: 6,
      published: true,
      pre_sales: true,
      weight: 5,
      items_in_stock: 3,
      manage_stock: true,
    })
    const unchanged = { published: null, pre_sales: null, title: null, manage_stock: null, locales: null }
    const same = await shop.put(`/api/products/${goods.id}.json`, { product: unchanged })
    assert.equal(same.status, 200, same.text)
    const { published, pre_sales, title, manage_stock, items_in_stock } = same.body.product
    assert.deepEqual(
      { published, pre_sales, title, manage_stock, items_in_stock },
      { published: true, pre_sales: true, title: goods.title, manage_stock: true, items_in_stock: 3 },
    )
    const unmanaged = await shop.put(`/api/products/${goods.id}.json`, { product: { items_in_stock: null } })
    assert.deepEqual(
      [unmanaged.status, unmanaged.body.product.items_in_stock, unmanaged.body.product.manage_stock],
      [200, null, false],
    )
  })

  const WRONG: [string, object][] = [
    ['title', { title: {} }],
    ['title', { title: ['Film'] }],
    ['title', { title: 'x'.repeat(256) }],
    ['version', { version: 'x'.repeat(101) }],
    ['comment', { comment: 'x'.repeat(65_536) }],
    ['supplier', { supplier: 'x'.repeat(101) }],
    ['runtime', { runtime: 'long' }],
    ['runtime', { runtime: -1 }],
    ['runtime', { runtime: 1.5 }],
    ['runtime', { runtime: 2 ** 31 }],
    ['published', { published: 'yes' }],
    ['published', { published: 2 }],
    ['published', { published: '' }],
    ['items_in_stock', { items_in_stock: '' }],
    ['items_in_stock', { items_in_stock: true }],
    ['runtime', { runtime: '0x10' }],
    ['runtime', { runtime: true }],
    ['published_at', { published_at: 'soon' }],
    ['published_at', { published_at: '2024-02-30T00:00:00' }],
    ['published_at', { published_at: 12 }],
    ['pre_sales', { pre_sales: {} }],
    ['drm_protected', { drm_protected: 'banana' }],
    ['attribute_set_id', { attribute_set_id: -1 }],
    ['product_id', { product_id: 'film' }],
    ['categories', { categories: '' }],
    ['chapters', { chapters: '' }],
    ['groups', { groups: '' }],
    ['locales', { locales: '' }],
    ['preview_pictures', { preview_pictures: '' }],
    ['images', { images: 'a.png' }],
    ['price_license_binding', { price_license_binding: '' }],
    ['tagging_genre', { tagging_genre: '' }],
    ['themes', { themes: {} }],
    ['locales[0]', { locales: ['en'] }],
    ['locales[0].title', { locales: [{ language_id: 'en', title: { a: 1 } }] }],
    ['locales[1].title', { locales: [{ language_id: 'en' }, { language_id: 'de', title: 'x'.repeat(256) }] }],
    ['locales[0].language_id', { locales: [{ language_id: 'english language' }] }],
    ['locales[0].language_id', { locales: [{ title: 'Home' }] }],
    ['locales[0].description', { locales: [{ language_id: 'en', description: 'x'.repeat(65_536) }] }],
    ['locales[0].seo_keywords', { locales: [{ language_id: 'en', seo_keywords: 'x'.repeat(1001) }] }],
    ['locales[0].src', { locales: [{ language_id: 'en', src: `https://example.com/${'x'.repeat(2000)}` }] }],
    ['preview_pictures[1].src', { preview_pictures: [{}, { src: 'file:///etc/passwd' }] }],
    ['price_license_binding[0].license_id', { price_license_binding: [{ license_id: 'gold' }] }],
    ['price_license_binding[0].price_id', { price_license_binding: [{ price_id: -4 }] }],
    ['price_license_binding[1].hd', { price_license_binding: [{}, { hd: 'maybe' }] }],
    ['tagging', { tagging: 'x' }],
    ['tagging.year', { tagging: { year: 'MMXX' } }],
    ['tagging.isbn', { tagging: { isbn: '9'.repeat(33) } }],
    ['tagging.age', { tagging: { age: 22 } }],
    ['tagging.age', { tagging: { age: -1 } }],
    ['tagging.age', { tagging: { age: 7.5 } }],
    ['tagging.age', { tagging: { age: 'adults' } }],
    ['tagging.age', { tagging: { age: '' } }],
    ['tagging_genre[0].value', { tagging_genre: [{ value: 'x'.repeat(101) }] }],
    ['tagging_people[0].role', { tagging_people: [{ role: {} }] }],
    ['chapters[0].runtime', { chapters: [{ name: 'One', runtime: 'long' }] }],
    ['groups[0].group_id', { groups: [{}] }],
    ['groups[0].group_id', { groups: [{ group_id: 'x12' }] }],
    ['groups[0].group_id', { groups: [{ group_id: 'c0' }] }],
    ['groups[0].start_at', { groups: [{ group_id: 'c1', start_at: 'now' }] }],
    ['groups[0].end_at', { groups: [{ group_id: 'c1', start_at: '2024-01-02', end_at: '2024-01-01' }] }],
    ['groups[1].group_id', { groups: [{ group_id: 'c1' }, { group_id: 'c1' }] }],
    ['themes[0].theme_id', { themes: [{}] }],
    ['themes[0].theme_id', { themes: [{ theme_id: 0 }] }],
    ['themes[1].theme_id', { themes: [{ theme_id: 1 }, { theme_id: 1 }] }],
    ['themes[1].theme_id', { themes: [{ theme_id: -1 }, { theme_id: 2 }] }],
    ['themes[0].theme_id', { themes: [{ theme_id: 1001 }] }],
    ['categories[0].category_id', { categories: [{}] }],
    ['categories[0].category_id', { categories: [{ category_id: 123_456_789 }] }],
    ['categories[0].id', { categories: [{ id: 2 ** 60, category_id: 1 }] }],
    ['title', { title: 'Fi\0lm' }],
    ['title', { title: 'Film \ud83d' }],
    ['comment', { comment: '\udc00' }],
    ['locales[0].description', { locales: [{ language_id: 'en', description: '\0' }] }],
    ['locales[0].title', { locales: [{ language_id: 'en', title: '\ud83d' }] }],
    ['tagging_genre[1].value', { tagging_genre: [{ value: 'A' }, { value: 'B\0' }] }],
  ]
  for (const [index, [path, wrong]] of WRONG.entries()) {
    test(`is refused for its ${path} (case ${index + 1}), when made and when changed`, async () => {
      const shop = await service.openShop()
      const product = await aProduct(shop)
      assertBlames(await shop.post('/api/products.json', { product: { ...FILM, ...wrong } }), [path])
      // A change ignores what is set once, whatever it is.
      if (!['product_id', 'drm_protected'].includes(path))
        assertBlames(await shop.put(`/api/products/${product.id}.json`, { product: wrong }), [path])
      assert.deepEqual(await readProduct(shop, product.id), product)
      assert.equal((await eventsOf(service, shop)).length, 1)
      assert.equal((await shop.get('/api/products/count.json')).body.count, 1)
    })
  }

  test('gets all faults at once', async () => {
    const shop = await service.openShop()
    const product = { ...FILM, gtin: '12', weight: 3, themes: [{ theme_id: 0 }], locales: [{ title: 'Home' }] }
    assertBlames(await shop.post('/api/products.json', { product }), [
      'gtin',
      'weight',
      'themes[0].theme_id',
      'locales[0].language_id',
    ])
  })

  const TEXTS: [string, string][] = [
    ['emoji', 'Film 🎬 👩‍👩‍👧 🏳️‍🌈'],
    ['255 emoji', '🎬'.repeat(255)],
    ['HTML', '<p onclick="x()">A &amp; B</p><script>alert("</script>")'],
    ['quotes, backslashes and line breaks', '"\'\\\n\r\t\u2028\u2029/'],
    ['right-to-left and combining characters', 'سلام Ç e\u0301'],
    ['the patterns of string functions', '%s $1 $& {{x}} \\1'],
    ['control characters', '\u0001\u001f\u007f'],
    ['SQL', "'; drop table products; --"],
  ]
  for (const [what, text] of TEXTS) {
    test(`keeps ${what} as it came`, async () => {
      const shop = await service.openShop()
      const locales = [{ language_id: 'en', title: text, description: text.repeat(2), email_text: text }]
      const product = await aProduct(shop, { title: text, comment: text, locales, chapters: [{ name: text }] })
      const read = await readProduct(shop, product.id)
      assert.deepEqual(read, product)
      assert.deepEqual([read.title, read.comment, read.chapters[0].name], [text, text, text])
      assert.deepEqual(
        [read.locales[0].title, read.locales[0].description, read.locales[0].email_text],
        [text, text.repeat(2), text],
      )
      assert.ok(read.locales[0].seo_description.isWellFormed())
      await assertPresentedFresh(service, shop, product.id)
      assert.equal((await shop.put(`/api/products/${product.id}.json`, { product: read })).status, 200)
    })
  }

  test('may be 1.9 MB large', async () => {
    const shop = await service.openShop()
    const languages = Array.from(
      { length: 28 },
      (_, index) => `a${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : 'x'}`,
    )
    const locales = languages.map((language_id) => ({ language_id, description: 'ä'.repeat(34_000) }))
    const product = { ...FILM, locales }
    assert.ok(Buffer.byteLength(JSON.stringify({ product })) > 1_900_000)
    const made = await aProduct(shop, product)
    assert.equal((await readProduct(shop, made.id)).locales.length, 28)
    await assertPresentedFresh(service, shop, made.id)
  })

  // A 500 is always a defect. Here any JSON value takes the place of an attribute.
  test('is taken or refused, and never too much for the service', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop)
    const name = fc.constantFrom(...Object.keys(ProductInput.properties))
    const inner = fc.constantFrom(
      'id',
      'src',
      'title',
      'language_id',
      'category_id',
      'theme_id',
      'group_id',
      'year',
      'value',
    )
    const odd = fc.constantFrom(
      '',
      0,
      -1,
      1e308,
      2 ** 63,
      null,
      true,
      '1',
      '2024-01-01',
      '9999-12-31T23:59:59-05:00',
      '\0',
      'c1',
    )
    const part = fc.dictionary(inner, fc.oneof(odd, fc.jsonValue({ maxDepth: 1 })), { maxKeys: 4 })
    const value = fc.oneof(odd, part, fc.array(fc.oneof(part, odd), { maxLength: 3 }), fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 3 }), async (product) => {
        const made = await shop.post('/api/products.json', { product: { ...FILM, ...product } })
        assert.ok([201, 422].includes(made.status), made.text)
        const changed = await shop.put(`/api/products/${id}.json`, { product })
        assert.ok([200, 422].includes(changed.status), changed.text)
        if (changed.status === 200) await assertPresentedFresh(service, shop, id)
      }),
      { numRuns: 120 },
    )
  })
})
