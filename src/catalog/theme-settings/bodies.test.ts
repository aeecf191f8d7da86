import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertBlames, aThemeSetting, readThemeSetting } from '#test/factories.ts'
import { useService } from '#test/harness.ts'

const service = useService()
const LOCALE = { language_id: 'en', shop_name: 'Books & Co' }

describe('the wrapper of a theme setting', () => {
  for (const key of ['ThemeSetting', 'theme_setting', 'themesetting']) {
    test(`understands the wrapper ${key}, and answers under the interface's own`, async () => {
      const shop = await service.openShop()
      const made = await shop.post('/api/themesettings.json', { [key]: { html_tag: 'A' } })
      assert.deepEqual([made.status, made.body.ThemeSetting.html_tag], [201, 'A'])
      const path = `/api/themesettings/${made.body.ThemeSetting.id}.json`
      const changed = await shop.put(path, { [key]: { html_tag: 'B' }, other: 1 })
      assert.deepEqual([changed.status, Object.keys(changed.body)], [200, ['ThemeSetting']])
      assert.equal((await readThemeSetting(shop, made.body.ThemeSetting.id)).html_tag, 'B')
      assertBlames(await shop.post('/api/themesettings.json', { [key]: { html_tag: {} } }), ['html_tag'])
    })
  }

  test("takes the interface's own wrapper where there are two", async () => {
    const shop = await service.openShop()
    const body = { theme_setting: { html_tag: 'A' }, ThemeSetting: { html_tag: 'B' } }
    assert.equal((await shop.post('/api/themesettings.json', body)).body.ThemeSetting.html_tag, 'B')
  })

  for (const body of [{}, { html_tag: 'A' }, { ThemeSettings: {} }, { theme_setting: null }, { ThemeSetting: [] }]) {
    test(`is 400 for ${JSON.stringify(body)}`, async () => {
      const shop = await service.openShop()
      const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
      for (const answer of [
        await shop.post('/api/themesettings.json', body),
        await shop.put(`/api/themesettings/${id}.json`, body),
      ]) {
        assert.deepEqual([answer.status, answer.body.code], [400, 'malformed'])
        assert.equal(answer.body.error, 'The body must have the form {"ThemeSetting": {…}}.')
      }
      assert.deepEqual((await shop.get('/api/themesettings/count.json')).body, { count: 1 })
    })
  }

  for (const body of ['null', '[]', '"x"', '7', '{']) {
    test(`is 400 for the body ${body}`, async () => {
      const shop = await service.openShop()
      const answer = await shop.post('/api/themesettings.json', body)
      assert.deepEqual([answer.status, answer.body.code], [400, 'malformed'], answer.text)
    })
  }
})

describe('a body of a theme setting', () => {
  const WRONG: [string, object][] = [
    ['theme_id', { theme_id: 2 }],
    ['theme_id', { theme_id: -1 }],
    ['theme_id', { theme_id: 'default' }],
    ['affiliate_percentage', { affiliate_percentage: -0.01 }],
    ['affiliate_percentage', { affiliate_percentage: 100.01 }],
    ['affiliate_percentage', { affiliate_percentage: 'many' }],
    ['shop_offline', { shop_offline: 'yes' }],
    ['homepage_url', { homepage_url: 'example.com' }],
    ['homepage_url', { homepage_url: 'https:example.com' }],
    ['facebook_url', { facebook_url: 'javascript:alert(1)' }],
    ['google_url', { google_url: 'ftp://example.com' }],
    ['twitter_url', { twitter_url: 'https://' }],
    ['youtube_url', { youtube_url: 'https://example.com/a b' }],
    ['accent_color', { accent_color: 'red' }],
    ['accent_color', { accent_color: '#7b2d7' }],
    ['shop_icon', { shop_icon: 'data:image/png;base64,AAAA' }],
    ['shop_icon', { shop_icon: `https://example.com/${'x'.repeat(2000)}` }],
    ['google_tracking_id', { google_tracking_id: 'x'.repeat(101) }],
    ['html_tag', { html_tag: 'x'.repeat(65_536) }],
    ['html_tag', { html_tag: 'x\0' }],
    ['meta_tag', { meta_tag: '\ud800' }],
    ['meta_tag', { meta_tag: ['x'] }],
    ['sample_product_id', { sample_product_id: 1.5 }],
    ['sample_product_license_id', { sample_product_license_id: -1 }],
    ['sample_product_license_id', { sample_product_license_id: 'x' }],
    ['shop_domain', { shop_domain: 'https://shop.example.com' }],
    ['shop_domain', { shop_domain: '127.0.0.1' }],
    ['shop_domain', { shop_domain: 'shop.localhost' }],
    ['shop_domain', { shop_domain: `${'x'.repeat(60)}.`.repeat(5) }],
    ['access_domain', { access_domain: 'my.example.com:8080' }],
    ['vanity_domain', { vanity_domain: 'a.b' }],
    ['vanity_domain', { vanity_domain: '1000' }],
    ['frame_origins[0]', { frame_origins: ['example.com'] }],
    ['cart_reminder_hours', { cart_reminder_hours: 169 }],
    ['cart_reminder_hours', { cart_reminder_hours: -1 }],
    ['frame_origins[0]', { frame_origins: ['http://example.com'] }],
    ['frame_origins[0]', { frame_origins: ["https://example.com; script-src 'self'"] }],
    ['frame_origins[1]', { frame_origins: ['https://example.com', 'https://*.example.com'] }],
    ['frame_origins[0]', { frame_origins: ['https://example.com/page'] }],
    ['frame_origins', { frame_origins: Array.from({ length: 21 }, (_, index) => `https://${index}.example.com`) }],
    ['home_sections', { home_sections: 'hero' }],
    ['home_sections', { home_sections: Array.from({ length: 31 }, () => ({ kind: 'hero' })) }],
    ['home_sections[0].kind', { home_sections: [{ kind: 'carousel' }] }],
    ['home_sections[0].kind', { home_sections: [{}] }],
    ['home_sections[0].hidden', { home_sections: [{ kind: 'hero', hidden: 'perhaps' }] }],
    ['home_sections[0].category_id', { home_sections: [{ kind: 'category' }] }],
    ['home_sections[0].category_id', { home_sections: [{ kind: 'category', category_id: 999_999 }] }],
    ['home_sections[1].product_ids', { home_sections: [{ kind: 'hero' }, { kind: 'products' }] }],
    ['home_sections[0].product_ids[0]', { home_sections: [{ kind: 'hero', product_ids: [999_999] }] }],
    ['home_sections[0].product_ids[0]', { home_sections: [{ kind: 'hero', product_ids: ['x'] }] }],
    ['home_sections[0].locales[0].title', { home_sections: [{ kind: 'newest', locales: [{ language_id: 'en' }] }] }],
    ['home_sections[0].locales[0].language_id', { home_sections: [{ kind: 'newest', locales: [{ title: 'New' }] }] }],
    ['menu', { menu: Array.from({ length: 21 }, () => ({ page: 'about' })) }],
    ['menu[0]', { menu: [{}] }],
    [
      'menu[0]',
      { menu: [{ page: 'about', url: 'https://example.com', locales: [{ language_id: 'en', title: 'X' }] }] },
    ],
    ['menu[0].page', { menu: [{ page: 'jobs' }] }],
    ['menu[0].url', { menu: [{ url: 'javascript:alert(1)', locales: [{ language_id: 'en', title: 'X' }] }] }],
    ['menu[0].locales', { menu: [{ url: 'https://example.com', locales: [{ language_id: 'en', title: ' ' }] }] }],
    ['menu[1].category_id', { menu: [{ page: 'about' }, { category_id: 999_999 }] }],
    ['locales', { locales: 'en' }],
    ['locales', { locales: Array.from({ length: 201 }, () => ({ language_id: 'en' })) }],
    ['locales[0].language_id', { locales: [{ shop_name: 'X' }] }],
    ['locales[0].language_id', { locales: [{ language_id: 'english!' }] }],
    ['locales[0].language_id', { locales: [{ language_id: 999 }] }],
    ['locales[1].shop_name', { locales: [{ language_id: 'en' }, { language_id: 'de', shop_name: 'x'.repeat(256) }] }],
    ['locales[0].offline_message', { locales: [{ language_id: 'en', offline_message: {} }] }],
    ['locales[0].terms', { locales: [{ language_id: 'en', terms: 'x'.repeat(65_536) }] }],
    ['locales[0].seo_keywords', { locales: [{ language_id: 'en', seo_keywords: 'x'.repeat(1001) }] }],
  ]
  for (const [path, change] of WRONG) {
    test(`refuses ${JSON.stringify(change).slice(0, 70)}, and changes nothing`, async () => {
      const shop = await service.openShop()
      const before = await aThemeSetting(shop, { locales: [LOCALE] })
      assertBlames(await shop.put(`/api/themesettings/${before.id}.json`, { ThemeSetting: change }), [path])
      assertBlames(await shop.post('/api/themesettings.json', { ThemeSetting: change }), [path])
      assert.deepEqual(await readThemeSetting(shop, before.id), before)
      assert.deepEqual((await shop.get('/api/themesettings/count.json')).body, { count: 2 })
    })
  }

  test('names everything that is wrong at once', async () => {
    const shop = await service.openShop()
    const wrong = {
      theme_id: 9,
      shop_icon: 'x',
      shop_domain: 'x',
      locales: [{ language_id: 'en' }, { language_id: 999 }, { seo_title: 'X' }],
    }
    assertBlames(await shop.post('/api/themesettings.json', { ThemeSetting: wrong }), [
      'theme_id',
      'shop_icon',
      'shop_domain',
      'locales[1].language_id',
      'locales[2].language_id',
    ])
  })

  test('refuses a locale the language of another', async () => {
    const shop = await service.openShop()
    const { id, locales } = await aThemeSetting(shop, { locales: [LOCALE, { language_id: 'de' }] })
    const change = { locales: [{ id: locales[1].id, language_id: 1 }] }
    assertBlames(await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: change }), ['locales[0].language_id'])
  })
})
