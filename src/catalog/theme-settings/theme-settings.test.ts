import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  aLicense,
  aProduct,
  assertBlames,
  aThemeSetting,
  BUY,
  eventsOf,
  RENT,
  readThemeSetting,
  type Wire,
} from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()

const LOCALE = {
  language_id: 'en',
  shop_name: 'Books & Co 📚',
  shop_description: '<p>All &amp; every</p>',
  offline_message: 'Back <b>soon</b>',
  seo_title: 'Books',
  seo_description: 'All of them.',
  seo_keywords: 'books, home',
  about: '<p>Us</p>',
  imprint: 'Main Street',
  terms: '<h2>1</h2>',
  withdrawal: '14 days',
  privacy: '<script>',
}

const { language_id: _, ...TYPED } = LOCALE
const EMPTY_LOCALE = Object.fromEntries(Object.keys(TYPED).map((name) => [name, '']))

const TEXTS = {
  homepage_url: 'https://example.com/?a=b#c',
  facebook_url: 'http://facebook.example/books',
  google_url: 'https://google.example/books',
  twitter_url: 'https://twitter.example/books',
  youtube_url: 'HTTPS://youtube.example/bücher',
  google_tracking_id: 'G-AB12CD34EF',
  google_shopping_account_id: '123456789',
  html_tag: '<script>alert("ü")</script>',
  meta_tag: '<meta name="a" content="b">',
  shop_icon: 'https://example.com/icon.png',
  accent_color: '#7b2d72',
}

const FLAGS = {
  affiliates_enabled: true,
  allow_reviews: true,
  allow_anonymous_reviews: true,
  need_approval_of_reviews: false,
  send_email_on_new_review: true,
  newsletter_enabled: true,
  google_ecommerce_enabled: true,
  shop_offline: true,
}

const READ_ONLY = {
  id: 7,
  company_id: 7,
  name: 'X',
  domain: 'x.example.com',
  enabled: false,
  mobile_domain_available: true,
  sub_domain: '7',
  updated_at: '1999-01-01T00:00:00',
  colour: 'red',
}

async function put(shop: Shop, id: number, ThemeSetting: object): Promise<Wire> {
  const answer = await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(await readThemeSetting(shop, id), answer.body.ThemeSetting)
  return answer.body.ThemeSetting
}

async function list(shop: Shop): Promise<Wire[]> {
  return (await shop.get('/api/themesettings.json')).body.ThemeSettings
}

describe('a company', () => {
  test('has one theme setting from the start, which shows every field of the API', async () => {
    const shop = await service.openShop()
    const { company_name } = (await shop.get('/api/companies.json')).body.company
    const [setting, ...others] = await list(shop)
    assert.deepEqual(others, [])
    const { id, updated_at, locales, ...rest } = setting
    assert.ok(id >= 1000)
    assert.match(updated_at, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
    assert.deepEqual(rest, {
      company_id: shop.companyId,
      theme_id: 1,
      name: 'Default',
      domain: `${id}.localhost`,
      enabled: true,
      mobile_domain_available: false,
      access_domain: '',
      shop_domain: '',
      sub_domain: String(id),
      vanity_domain: '',
      homepage_url: '',
      facebook_url: '',
      google_url: '',
      twitter_url: '',
      youtube_url: '',
      affiliates_enabled: false,
      affiliate_percentage: 0,
      allow_reviews: false,
      allow_anonymous_reviews: false,
      need_approval_of_reviews: true,
      send_email_on_new_review: false,
      newsletter_enabled: false,
      google_tracking_id: '',
      google_ecommerce_enabled: false,
      google_shopping_account_id: '',
      html_tag: '',
      meta_tag: '',
      sample_product_id: null,
      sample_product_license_id: null,
      shop_offline: false,
      shop_icon: '',
      accent_color: '',
      domain_proofs: [],
      frame_origins: [],
      cart_reminder_hours: null,
      home_sections: null,
      menu: null,
      player_watermark: false,
    })
    assert.deepEqual(locales, [{ id: locales[0].id, language_id: 'en', ...EMPTY_LOCALE, shop_name: company_name }])
    assert.deepEqual(await readThemeSetting(shop, id), setting)
    assert.deepEqual((await shop.get('/api/themesettings/count.json')).body, { count: 1 })
  })
})

describe('POST /api/themesettings.json', () => {
  test('reads back every attribute that it was made with', async () => {
    const shop = await service.openShop()
    const product = await aProduct(shop, { price_license_binding: [{ license_id: BUY }] })
    const sent = {
      ...TEXTS,
      ...FLAGS,
      theme_id: 1,
      affiliate_percentage: 12.345,
      sample_product_id: product.id,
      sample_product_license_id: BUY,
      vanity_domain: 'every-attribute',
      shop_domain: 'every.example.com',
      access_domain: 'attribute.example.com',
    }
    const setting = await aThemeSetting(shop, { ...sent, locales: [LOCALE, { language_id: 'DE' }] })
    for (const [name, value] of Object.entries(sent)) assert.deepEqual(setting[name], value, name)
    const [english, german] = setting.locales
    assert.deepEqual(english, { id: english.id, ...LOCALE })
    assert.deepEqual(german, { id: german.id, language_id: 'de', ...EMPTY_LOCALE })
    assert.deepEqual(await readThemeSetting(shop, setting.id), setting)
    assert.deepEqual((await list(shop))[1], setting)
    assert.deepEqual((await shop.get('/api/themesettings/count.json')).body, { count: 2 })
  })

  test('makes one out of nothing, and ignores what only the service may write', async () => {
    const shop = await service.openShop()
    const { status, body } = await shop.post('/api/themesettings.json', { ThemeSetting: READ_ONLY })
    assert.equal(status, 201)
    const { id, updated_at: _time, ...rest } = body.ThemeSetting
    const [{ id: first, updated_at: _first, ...blank }] = await list(shop)
    assert.ok(id > first)
    assert.deepEqual(rest, { ...blank, domain: `${id}.localhost`, sub_domain: String(id), locales: [] })
  })

  test('makes one of a body that is sent twice with one Idempotency-Key, with any wrapper', async () => {
    const shop = await service.openShop()
    const key = { 'idempotency-key': 'k1' }
    const first = await shop.post('/api/themesettings.json', { theme_setting: { vanity_domain: 'only-once' } }, key)
    const second = await shop.post('/api/themesettings.json', { ThemeSetting: { vanity_domain: 'only-once' } }, key)
    assert.deepEqual([second.status, second.text], [201, first.text])
    assert.deepEqual((await shop.get('/api/themesettings/count.json')).body, { count: 2 })
  })
})

describe('PUT /api/themesettings/{id}.json', () => {
  test('changes nothing but its time when a whole theme setting is sent back', async () => {
    const shop = await service.openShop()
    const product = await aProduct(shop, { price_license_binding: [{ license_id: BUY }] })
    const domains = { vanity_domain: 'sent-back', shop_domain: 'sent.example.com', access_domain: 'back.example.com' }
    const sample = { sample_product_id: product.id, sample_product_license_id: BUY }
    const before = await aThemeSetting(shop, { ...TEXTS, ...FLAGS, ...domains, ...sample, locales: [LOCALE] })
    service.clock.advance(5)
    const after = await put(shop, before.id, before)
    assert.notEqual(after.updated_at, before.updated_at)
    assert.deepEqual({ ...after, updated_at: '' }, { ...before, updated_at: '' })
  })

  test('changes each attribute alone and leaves every other as it was', async () => {
    const shop = await service.openShop()
    const product = await aProduct(shop, { price_license_binding: [{ license_id: BUY }] })
    let before = await aThemeSetting(shop, { locales: [LOCALE] })
    const numbers = { affiliate_percentage: 100, sample_product_id: product.id, sample_product_license_id: BUY }
    for (const [name, value] of Object.entries({ ...TEXTS, ...FLAGS, ...numbers })) {
      const after = await put(shop, before.id, { [name]: value })
      assert.deepEqual(after, { ...before, [name]: value, updated_at: after.updated_at }, name)
      before = after
    }
    for (const [name, value] of Object.entries(TEXTS)) {
      assert.equal((await put(shop, before.id, { [name]: value }))[name], value, name)
      assert.equal((await put(shop, before.id, { [name]: null }))[name], value, name)
      assert.equal((await put(shop, before.id, { [name]: '' }))[name], '', name)
    }
    for (const name of ['sample_product_id', 'sample_product_license_id'])
      for (const none of [null, 0, '']) assert.equal((await put(shop, before.id, { [name]: none }))[name], null)
    for (const kept of [{}, READ_ONLY, { theme_id: 0 }, { theme_id: null }, { theme_id: 1 }, { locales: [] }])
      assert.equal((await put(shop, before.id, kept)).theme_id, 1)
  })

  test('reads numbers and flags that come as text, and an account that comes as a number', async () => {
    const shop = await service.openShop()
    const { id } = await aThemeSetting(shop)
    const after = await put(shop, id, {
      affiliate_percentage: '7.5',
      shop_offline: 'true',
      theme_id: '1',
      google_shopping_account_id: 123,
    })
    assert.deepEqual(
      [after.affiliate_percentage, after.shop_offline, after.theme_id, after.google_shopping_account_id],
      [7.5, true, 1, '123'],
    )
  })

  test('merges locales by id, by language and by _destroy', async () => {
    const shop = await service.openShop()
    const { id, locales } = await aThemeSetting(shop, { locales: [LOCALE, { language_id: 2, shop_name: 'Bücher' }] })
    const [english, german] = locales
    assert.deepEqual([german.language_id, german.shop_name], ['de', 'Bücher'])
    const changed = await put(shop, id, {
      locales: [
        { id: german.id, shop_name: 'Laden' },
        { language_id: 'EN', seo_title: '' },
        { id: null, language_id: '12' },
        { id: 0, language_id: 'pt-BR' },
      ],
    })
    assert.deepEqual(changed.locales.slice(0, 2), [
      { ...english, seo_title: '' },
      { ...german, shop_name: 'Laden' },
    ])
    assert.deepEqual(
      changed.locales.slice(2).map((locale: Wire) => locale.language_id),
      ['fr', 'pt-br'],
    )
    assert.equal(new Set(changed.locales.map((locale: Wire) => locale.id)).size, 4)
    const without = await put(shop, id, { locales: [{ id: english.id, _destroy: true }] })
    assert.deepEqual(without.locales, changed.locales.slice(1))
    const spanish = await put(shop, id, { locales: [{ id: german.id, language_id: 8 }] })
    assert.deepEqual(spanish.locales[0], { ...german, shop_name: 'Laden', language_id: 'es' })
  })

  test('is 404 for what is no theme setting', async () => {
    const shop = await service.openShop()
    for (const ref of [1, 0, -1, 'abc', '9223372036854775807', '1.5', '%00', '1e3']) {
      for (const answer of [
        await shop.get(`/api/themesettings/${ref}.json`),
        await shop.put(`/api/themesettings/${ref}.json`, { ThemeSetting: {} }),
        await shop.delete(`/api/themesettings/${ref}.json`),
      ])
        assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], `${ref}`)
    }
  })

  test('takes a product of the company as sample and no other, and keeps one that is deleted later', async () => {
    const shop = await service.openShop()
    const foreign = await aProduct(await service.openShop())
    const own = await aProduct(shop)
    const [setting] = await list(shop)
    for (const sample_product_id of [foreign.id, 987_654_321]) {
      const path = `/api/themesettings/${setting.id}.json`
      assertBlames(await shop.put(path, { ThemeSetting: { sample_product_id } }), ['sample_product_id'])
      assertBlames(await shop.post('/api/themesettings.json', { ThemeSetting: { sample_product_id } }), [
        'sample_product_id',
      ])
    }
    const before = await put(shop, setting.id, { sample_product_id: own.id })
    await shop.delete(`/api/products/${own.id}.json`)
    assert.equal((await put(shop, setting.id, before)).sample_product_id, own.id)
  })

  test('takes a license of the sample product, or without one any that the company sees', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    const [own, foreign] = [await aLicense(service, shop), await aLicense(service, stranger)]
    const bind = (...ids: number[]) => ({ price_license_binding: ids.map((license_id) => ({ license_id })) })
    const first = await aProduct(shop, bind(BUY, own.id))
    const second = await aProduct(shop, bind(RENT))
    const { id } = await aThemeSetting(shop)
    const refused = async (ThemeSetting: object) => {
      const name = ['sample_product_license_id']
      assertBlames(await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting }), name)
      if (!('sample_product_id' in ThemeSetting)) return
      const whole = { sample_product_license_id: BUY, ...ThemeSetting }
      assertBlames(await shop.post('/api/themesettings.json', { ThemeSetting: whole }), name)
    }
    for (const sample_product_license_id of [foreign.id, 987_654_321])
      await refused({ sample_product_id: null, sample_product_license_id })
    for (const license of [RENT, own.id]) await put(shop, id, { sample_product_license_id: license })
    for (const license of [RENT, foreign.id])
      await refused({ sample_product_id: first.id, sample_product_license_id: license })
    await put(shop, id, { sample_product_id: first.id })
    await put(shop, id, { sample_product_license_id: BUY })
    await refused({ sample_product_id: second.id })
    await refused({ sample_product_license_id: RENT })
    await put(shop, id, { sample_product_id: second.id, sample_product_license_id: RENT })
    // Without the binding, and without the product, it can be sent back but not taken up.
    await shop.put(`/api/products/${second.id}.json`, { product: bind(BUY) })
    const before = await readThemeSetting(shop, id)
    await put(shop, id, before)
    await shop.delete(`/api/products/${second.id}.json`)
    assert.equal((await put(shop, id, before)).sample_product_license_id, RENT)
    await refused({ sample_product_license_id: BUY })
    assert.equal((await put(shop, id, { sample_product_id: null })).sample_product_license_id, RENT)
  })

  test('loses no change of two that come at once', async () => {
    const shop = await service.openShop()
    const { id } = await aThemeSetting(shop)
    const changes = Object.entries({ ...TEXTS, ...FLAGS })
    const answers = await Promise.all(
      changes.map(([name, value]) => shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { [name]: value } })),
    )
    for (const { status, text } of answers) assert.equal(status, 200, text)
    const after = await readThemeSetting(shop, id)
    for (const [name, value] of changes) assert.equal(after[name], value, name)
  })
})

describe('GET /api/themesettings.json', () => {
  test('lists in the order of ids, by page and by key, and cuts down to fields', async () => {
    const shop = await service.openShop()
    for (let count = 0; count < 3; count += 1) await aThemeSetting(shop)
    const all = await list(shop)
    const ids = all.map(({ id }) => id)
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => a - b),
    )
    const page = await shop.get('/api/themesettings.json?limit=3')
    assert.deepEqual(page.body.ThemeSettings, all.slice(0, 3))
    const next = new URL(/<(.*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '')
    assert.deepEqual((await shop.get(next.pathname + next.search)).body.ThemeSettings, all.slice(3))
    assert.deepEqual((await shop.get('/api/themesettings.json?page=2&limit=3')).body.ThemeSettings, all.slice(3))
    assert.deepEqual((await shop.get(`/api/themesettings/count.json?since_id=${ids[1]}`)).body, { count: 2 })
    const cut = await shop.get('/api/themesettings.json?fields=id,domain,nonsense')
    assert.deepEqual(
      cut.body.ThemeSettings,
      all.map(({ id, domain }) => ({ id, domain })),
    )
    const one = await shop.get(`/api/themesettings/${ids[0]}.json?fields=locales`)
    assert.deepEqual(one.body, { ThemeSetting: { locales: all[0].locales } })
  })

  test('answers 304 to who has it already, until it changes', async () => {
    const shop = await service.openShop()
    const [{ id }] = await list(shop)
    const path = `/api/themesettings/${id}.json`
    const header = { 'if-none-match': (await shop.get(path)).headers.get('etag') ?? '' }
    assert.equal((await shop.get(path, undefined, header)).status, 304)
    await put(shop, id, { html_tag: 'new' })
    assert.equal((await shop.get(path, undefined, header)).status, 200)
  })
})

describe('DELETE /api/themesettings/{id}.json', () => {
  test('removes one after another, including the last, and emits no event', async () => {
    const shop = await service.openShop()
    await aThemeSetting(shop)
    for (const [left, { id }] of [...(await list(shop)).entries()].reverse()) {
      const answer = await shop.delete(`/api/themesettings/${id}.json`)
      assert.deepEqual([answer.status, answer.text], [200, '{}'])
      assert.equal((await shop.get(`/api/themesettings/${id}.json`)).status, 404)
      assert.equal((await shop.delete(`/api/themesettings/${id}.json`)).status, 404)
      assert.equal((await list(shop)).length, left)
      assert.deepEqual((await shop.get('/api/themesettings/count.json')).body, { count: left })
    }
    assert.deepEqual(await eventsOf(service, shop), [])
    assert.equal((await aThemeSetting(shop)).theme_id, 1)
  })

  test('removes one once, however many ask for it', async () => {
    const shop = await service.openShop()
    const { id } = await aThemeSetting(shop)
    const answers = await Promise.all(Array.from({ length: 5 }, () => shop.delete(`/api/themesettings/${id}.json`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404])
    assert.deepEqual((await shop.get('/api/themesettings/count.json')).body, { count: 1 })
  })
})
