import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCategory, assertBlames, readCategory, usePictureHost, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()
const host = usePictureHost()

const LOCALE = {
  language: 'en',
  title: 'Films',
  description: '<p>All &amp; every</p>',
  seo_title: 'Our films',
  seo_description: 'All of them.',
  seo_keywords: 'film, home',
}

async function put(shop: Shop, id: number, category: object): Promise<Wire> {
  const answer = await shop.put(`/api/categories/${id}.json`, { category })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(await readCategory(shop, id), answer.body.category)
  return answer.body.category
}

describe('POST /api/categories.json', () => {
  test('makes a category from its title, at the top, enabled and empty', async () => {
    const shop = await service.openShop()
    const { status, body } = await shop.post('/api/categories.json', { category: { title: 'Films', enabled: true } })
    assert.equal(status, 201)
    const { id, created_at, ...rest } = body.category
    assert.ok(Number.isInteger(id))
    assert.match(created_at, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
    const empty = { comment: '', parent_id: 0, position: 0, locales: [], entries: [] }
    assert.deepEqual(rest, { title: 'Films', enabled: true, ...empty })
    assert.deepEqual(await readCategory(shop, id), body.category)
  })

  test('reads back every attribute that it was made with', async () => {
    const shop = await service.openShop()
    const parent = await aCategory(shop)
    const src = 'https://pictures.example.com/a.png'
    const sent = { title: 'Füm 🎬', comment: '<b>', enabled: false, parent_id: parent.id, position: 4 }
    const category = await aCategory(shop, { ...sent, locales: [{ ...LOCALE, src }, { language: 'DE' }] })
    for (const [name, value] of Object.entries(sent)) assert.equal(category[name], value, name)
    const [{ id: _id, ...english }, german] = category.locales
    assert.deepEqual(english, { ...LOCALE, src })
    assert.deepEqual([german.language, german.title, german.src], ['de', '', ''])
    assert.deepEqual(await readCategory(shop, category.id), category)
  })

  test('takes the title from a locale, and refuses a category without any', async () => {
    const shop = await service.openShop()
    assert.equal((await aCategory(shop, { title: undefined, locales: [LOCALE] })).title, 'Films')
    for (const title of [undefined, '', null])
      assertBlames(await shop.post('/api/categories.json', { category: { title } }), ['title'])
  })

  test('makes one category of a body that is sent twice with one Idempotency-Key', async () => {
    const shop = await service.openShop()
    const body = { category: { title: 'Films' } }
    const first = await shop.post('/api/categories.json', body, { 'idempotency-key': 'k1' })
    const second = await shop.post('/api/categories.json', body, { 'idempotency-key': 'k1' })
    assert.deepEqual([second.status, second.text], [201, first.text])
    assert.deepEqual((await shop.get('/api/categories/count.json')).body, { count: 1 })
  })
})

describe('PUT and POST /api/categories/{id}.json', () => {
  test('change nothing when a whole category is sent back', async () => {
    const shop = await service.openShop()
    const parent = await aCategory(shop)
    const { id } = await aCategory(shop, { parent_id: parent.id, locales: [{ ...LOCALE, src: host.url('/a.png') }] })
    await service.runJobs()
    const before = await readCategory(shop, id)
    assert.ok(before.locales[0].src.startsWith(`${service.url}/pictures/`))
    assert.deepEqual(await put(shop, id, before), before)
    const posted = await shop.post(`/api/categories/${id}.json`, { category: before })
    assert.deepEqual([posted.status, posted.body.category], [200, before])
  })

  test('change each attribute alone and leave every other as it was', async () => {
    const shop = await service.openShop()
    const other = await aCategory(shop)
    let before = await aCategory(shop, { locales: [LOCALE] })
    const changes = { title: 'Books', comment: 'c', enabled: false, parent_id: other.id, position: 9 }
    for (const [name, value] of Object.entries({ ...changes, comment: '' })) {
      const after = await put(shop, before.id, { [name]: value })
      assert.deepEqual(after, { ...before, [name]: value })
      before = after
    }
    for (const top of [0, null]) assert.equal((await put(shop, before.id, { parent_id: top })).parent_id, 0)
  })

  test('merge locales by id, by language and by _destroy', async () => {
    const shop = await service.openShop()
    const { id, locales } = await aCategory(shop, { locales: [LOCALE, { language: 'de', title: 'Filme' }] })
    const [english, german] = locales
    const changed = await put(shop, id, {
      locales: [
        { id: german.id, title: 'Kino' },
        { language: 'EN', seo_title: 'X' },
        { id: null, language: 'fr' },
      ],
    })
    assert.deepEqual(changed.locales.slice(0, 2), [
      { ...english, seo_title: 'X' },
      { ...german, title: 'Kino' },
    ])
    assert.equal(changed.locales[2].language, 'fr')
    assert.deepEqual((await put(shop, id, { locales: [] })).locales, changed.locales)
    const without = await put(shop, id, { locales: [{ id: english.id, _destroy: true }] })
    assert.deepEqual(without.locales, changed.locales.slice(1))
    const clash = { locales: [{ id: german.id, language: 'fr' }] }
    assertBlames(await shop.put(`/api/categories/${id}.json`, { category: clash }), ['locales[0].language'])
    assertBlames(await shop.put(`/api/categories/${id}.json`, { category: { locales: [{ title: 'X' }] } }), [
      'locales[0].language',
    ])
  })

  test('fetch the picture of a locale, keep it, replace it and remove it', async () => {
    const shop = await service.openShop()
    const { id } = await aCategory(shop, { locales: [{ ...LOCALE, src: host.url('/a.png') }] })
    await service.runJobs()
    const own = (await readCategory(shop, id)).locales[0].src
    assert.equal((await fetch(own)).status, 200)
    for (const src of [own, host.url('/a.png'), '', undefined])
      assert.equal((await put(shop, id, { locales: [{ language: 'en', src }] })).locales[0].src, own)
    const replaced = await put(shop, id, { locales: [{ language: 'en', src: host.url('/b.png') }] })
    assert.equal(replaced.locales[0].src, host.url('/b.png'))
    assert.equal((await put(shop, id, { locales: [{ language: 'en', src: null }] })).locales[0].src, '')
    await service.runJobs()
    assert.equal((await fetch(own)).status, 404)
  })

  test('ignore what they do not know and what only the service may write', async () => {
    const shop = await service.openShop()
    const category = await aCategory(shop)
    const sent = { id: 1, created_at: 'x', updated_at: 'y', company_id: 2, colour: 'red' }
    assert.deepEqual(await put(shop, category.id, sent), category)
  })

  const WRONG: [string, object][] = [
    ['title', { title: '' }],
    ['title', { title: {} }],
    ['title', { title: 'x'.repeat(256) }],
    ['title', { title: 'x\0' }],
    ['title', { title: '\ud800' }],
    ['comment', { comment: 'x'.repeat(65_536) }],
    ['enabled', { enabled: 'yes' }],
    ['enabled', { enabled: '' }],
    ['position', { position: true }],
    ['position', { position: '0x10' }],
    ['position', { position: '' }],
    ['parent_id', { parent_id: -1 }],
    ['parent_id', { parent_id: 'top' }],
    ['parent_id', { parent_id: 123_456_789 }],
    ['position', { position: -1 }],
    ['position', { position: 2 ** 31 }],
    ['locales', { locales: '' }],
    ['locales[0].language', { locales: [{ language: 'english' }] }],
    ['locales[1].title', { locales: [{ language: 'en' }, { language: 'de', title: 'x'.repeat(256) }] }],
    ['locales[1].src', { locales: [{ language: 'en' }, { language: 'de', src: 'ftp://example.com/a.png' }] }],
    ['locales[0].description', { locales: [{ language: 'en', description: '\0' }] }],
    ['entries', { entries: '' }],
    ['entries[0].product_id', { entries: [{}] }],
    ['entries[0].product_id', { entries: [{ product_id: 'FFFF-FFFF-FFFF-FFFF' }] }],
  ]
  for (const [index, [path, wrong]] of WRONG.entries()) {
    test(`refuse a body for its ${path} (case ${index + 1}), and change nothing`, async () => {
      const shop = await service.openShop()
      const category = await aCategory(shop)
      assertBlames(await shop.put(`/api/categories/${category.id}.json`, { category: wrong }), [path])
      assertBlames(await shop.post('/api/categories.json', { category: { title: 'Films', ...wrong } }), [path])
      assert.deepEqual((await shop.get('/api/categories.json')).body.categories, [category])
    })
  }

  test('are 400 without their wrapper', async () => {
    const shop = await service.openShop()
    const { id } = await aCategory(shop)
    for (const body of [{ title: 'Films' }, [], 'null', { category: null }, { category: [] }, ''])
      for (const call of [shop.post, shop.put]) {
        const path = call === shop.post ? '/api/categories.json' : `/api/categories/${id}.json`
        const answer = await call(path, body, { 'content-type': 'application/json' })
        assert.deepEqual([answer.status, answer.body.code], [400, 'malformed'])
      }
  })

  test('may say numbers and flags as text', async () => {
    const shop = await service.openShop()
    const parent = await aCategory(shop)
    const { id } = await aCategory(shop)
    const after = await put(shop, id, { position: '3', enabled: 'false', parent_id: String(parent.id) })
    assert.deepEqual([after.position, after.enabled, after.parent_id], [3, false, parent.id])
  })

  test('lose nothing when two changes of different attributes meet', async () => {
    const shop = await service.openShop()
    const { id } = await aCategory(shop)
    const answers = await Promise.all([
      shop.put(`/api/categories/${id}.json`, { category: { title: 'Books' } }),
      shop.put(`/api/categories/${id}.json`, { category: { comment: 'Both' } }),
      shop.put(`/api/categories/${id}.json`, { category: { locales: [{ language: 'en', title: 'E' }] } }),
      shop.put(`/api/categories/${id}.json`, { category: { locales: [{ language: 'de', title: 'D' }] } }),
    ])
    for (const { status } of answers) assert.equal(status, 200)
    const { title, comment, locales } = await readCategory(shop, id)
    assert.deepEqual([title, comment, locales.length], ['Books', 'Both', 2])
  })
})

describe('GET /api/categories', () => {
  test('lists, pages and counts them, and cuts them to fields', async () => {
    const shop = await service.openShop()
    const made = []
    for (const title of ['A', 'B', 'C', 'D', 'E']) made.push(await aCategory(shop, { title }))
    assert.deepEqual((await shop.get('/api/categories.json')).body, { categories: made })
    const first = await shop.get('/api/categories.json?limit=2')
    assert.deepEqual(first.body.categories, made.slice(0, 2))
    const [, url = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? []
    assert.deepEqual((await shop.get(url.slice(service.url.length))).body.categories, made.slice(2, 4))
    assert.deepEqual((await shop.get('/api/categories.json?limit=2&Page=3')).body.categories, made.slice(4))
    const since = `since_id=${made[1].id}`
    assert.deepEqual((await shop.get(`/api/categories.json?${since}`)).body.categories, made.slice(2))
    assert.deepEqual((await shop.get(`/api/categories/count.json?${since}`)).body, { count: 3 })
    assert.deepEqual((await shop.get('/api/categories/count.json')).body, { count: 5 })
    const { body } = await shop.get('/api/categories.json?fields=title,entries&limit=1')
    assert.deepEqual(body, { categories: [{ title: 'A', entries: [] }] })
    for (const limit of [0, 251]) assertBlames(await shop.get(`/api/categories.json?limit=${limit}`), ['limit'])
  })

  test('answers 304 while a category and its entries are unchanged', async () => {
    const shop = await service.openShop()
    const { id } = await aCategory(shop)
    const path = `/api/categories/${id}.json`
    const etag = (await shop.get(path)).headers.get('etag') ?? ''
    assert.equal((await shop.get(path, undefined, { 'if-none-match': etag })).status, 304)
    await shop.post('/api/products.json', {
      product: { product_type: 1, title: 'F', categories: [{ category_id: id }] },
    })
    assert.equal((await shop.get(path, undefined, { 'if-none-match': etag })).status, 200)
  })

  test('answers 404 for what is unknown, or of another company', async () => {
    const shop = await service.openShop()
    const { id } = await aCategory(await service.openShop())
    for (const ref of [id, 0, -1, 'abc', '9223372036854775807', '9223372036854775808', '1.5', '%00', '1e3']) {
      assert.equal((await shop.get(`/api/categories/${ref}.json`)).status, 404, `${ref}`)
      for (const call of [shop.put, shop.post])
        assert.equal((await call(`/api/categories/${ref}.json`, { category: { title: 'X' } })).status, 404, `${ref}`)
      assert.equal((await shop.delete(`/api/categories/${ref}.json`)).status, 404, `${ref}`)
    }
  })
})
