import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import { statementCount } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { stylePath } from '#platform/pages/style.ts'
import { proveDomains } from '#test/domains.ts'
import { aThemeSetting, type Wire } from '#test/factories.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { askHost } from '#test/hosts.ts'

const service = useService({ trustProxy: ['127.0.0.1', '10.0.0.0/8'] })
const OWN = 'shops.example.com'

beforeEach(() => {
  service.app.baseUrl = `https://${OWN}`
})

const at = (host: string, path = '/', headers: Record<string, string> = {}, method = 'GET') =>
  askHost(service.url, { host, path, headers, method })

async function firstOf(shop: Shop): Promise<Wire> {
  return (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
}

async function put(shop: Shop, id: number, ThemeSetting: object): Promise<void> {
  const answer = await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting })
  assert.equal(answer.status, 200, answer.text)
}

function assertPage(answer: Answer, status: number, heading: string, caching = 'no-store'): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(answer.text)?.[1]?.replace(/<[^>]+>/g, ''), heading)
  const header = (name: string) => answer.headers.get(name)
  assert.equal(header('content-type'), 'text/html; charset=utf-8')
  assert.equal(header('cache-control'), caching)
  assert.match(
    header('content-security-policy') ?? '',
    /^default-src 'none'; script-src 'self'; style-src 'self'; .*form-action 'self'; frame-ancestors 'none'/,
  )
  assert.deepEqual(['x-content-type-options', 'x-frame-options', 'referrer-policy', 'set-cookie'].map(header), [
    'nosniff',
    'DENY',
    'same-origin',
    null,
  ])
  assert.doesNotMatch(answer.text, /<script(?! type="application)|<style|style=/)
}

const SHORTLY = 'public, max-age=60'

describe('a shop that is online', () => {
  test('is shown on each of its hosts, with its name, its description and its homepage', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    await put(shop, id, {
      vanity_domain: 'met',
      shop_domain: 'met.example.com',
      access_domain: 'my.met.example.com',
      homepage_url: 'https://www.example.com/about?a=1&b=2',
      locales: [
        { language_id: 'en', shop_name: 'Books & Co', shop_description: '<p>All &amp; <b>every</b></p><p>Book</p>' },
      ],
    })
    await proveDomains(service, shop, 'met.example.com', 'my.met.example.com')
    for (const host of [`${id}.${OWN}`, `MET.${OWN}:8443`, 'met.example.com', 'Met.Example.com.:80']) {
      const answer = await at(host)
      assertPage(answer, 200, 'Books &amp; Co', SHORTLY)
      assert.match(answer.text, /<p>All &amp; every<\/p><p>Book<\/p>/)
      assert.match(
        answer.text,
        /<a href="https:\/\/www\.example\.com\/about\?a=1&amp;b=2"[^>]*><bdi[^>]*>www\.example\.com</,
      )
      assert.match(answer.headers.get('vary') ?? '', /accept-language/i)
      assert.equal(answer.headers.get('strict-transport-security'), null)
    }
    const head = await at('met.example.com', '/?utm=1', {}, 'HEAD')
    assert.deepEqual([head.status, head.text, head.headers.get('cache-control')], [200, '', SHORTLY])
  })

  test('uses the language of the visitor, or English', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    await put(shop, id, {
      locales: [
        { language_id: 'de', shop_name: 'Bücher', seo_title: 'Bücher kaufen', seo_description: 'Alle "Bücher".' },
        { language_id: 'en', shop_name: 'Books', shop_description: 'All of them.' },
      ],
    })
    const german = await at(`${id}.${OWN}`, '/', { 'accept-language': 'de-CH, en;q=0.5' })
    assertPage(german, 200, 'Bücher', SHORTLY)
    assert.match(german.text, /<html lang="de" dir="ltr">/)
    assert.match(german.text, /<title>Bücher kaufen<\/title>/)
    assert.match(german.text, /<meta name="description" content="Alle &#34;Bücher&#34;\.">/)
    assert.match(german.text, /<div class="prose" lang="en" dir="auto"><p>All of them\.<\/p>/)
    assertPage(await at(`${id}.${OWN}`, '/', { 'accept-language': 'ja' }), 200, 'Books', SHORTLY)
  })

  test("shows the owner's HTML as text", async () => {
    const shop = await service.openShop()
    const evil = '"><img src=x onerror=alert(1)>&lt;script&gt;alert(1)&lt;/script&gt;'
    const { id } = await aThemeSetting(shop, {
      html_tag: '<script>1</script>',
      meta_tag: '<meta http-equiv="refresh" content="0">',
      locales: [
        { language_id: 'en', shop_name: evil, shop_description: evil, offline_message: evil },
        { language_id: 'de', shop_name: 'x', seo_title: `</title>${evil}`, seo_description: evil },
      ],
    })
    const open = await at(`${id}.${OWN}`)
    await put(shop, id, { shop_offline: true })
    const closed = await at(`${id}.${OWN}`)
    for (const { text } of [open, closed]) assert.doesNotMatch(text, /<(script|img)|http-equiv/)
    assert.equal(open.status, 200)
  })

  test('converts the HTML when it is written, and not again for a visitor', async () => {
    const shop = await service.openShop()
    const { id } = await aThemeSetting(shop, {
      locales: [{ language_id: 'en', shop_name: 'Books', shop_description: '<p>All <b>of</b> them</p>' }],
    })
    const row = () =>
      service.db.selectFrom('theme_settings').where('company_id', '=', shop.companyId).where('id', '=', id)
    const { page_locales } = await row().select('page_locales').executeTakeFirstOrThrow()
    assert.match(JSON.stringify(page_locales), /"shop_description":"All of them"/)
    await service.db
      .updateTable('theme_settings')
      .set({ page_locales: JSON.stringify(page_locales).replace('All of them', '<i>As stored</i>') })
      .where('company_id', '=', shop.companyId)
      .where('id', '=', id)
      .execute()
    assert.match((await at(`${id}.${OWN}`)).text, /<p>&lt;i&gt;As stored&lt;\/i&gt;<\/p>/)
  })

  test('is called by its host while it has no name', async () => {
    const { id } = await aThemeSetting(await service.openShop())
    assertPage(await at(`${id}.${OWN}`), 200, `${id}.${OWN}`, SHORTLY)
  })

  test('answers 404 at other addresses, with a link back', async () => {
    const shop = await service.openShop()
    const { id, locales } = await firstOf(shop)
    for (const path of ['/nothing', '/sign-in', '/first-run/x', '/index.html', '/apis', '/tokens']) {
      const answer = await at(`${id}.${OWN}`, path)
      assertPage(answer, 404, 'There is nothing here')
      assert.ok(
        answer.text.includes(`<a class="btn primary" href="/"><bdi>Go to ${locales[0].shop_name}</bdi></a>`),
        path,
      )
    }
  })

  test('reads what is new and on its shelves once for all visitors', async () => {
    const { id } = await firstOf(await service.openShop())
    const count = async (path: string, cookie: string) => {
      const start = statementCount()
      await at(`${id}.${OWN}`, path, { cookie })
      return statementCount() - start
    }
    // The notices of earlier changes may still be under way, and what they overtake is read again.
    let counts: number[] = []
    for (let tries = 0; tries < 20 && counts.join() !== '2,0'; tries += 1) {
      while ((await count('/', '')) > 0);
      counts = [await count(`/?a=${tries}`, 'any=1'), await count(`/?a=${tries}`, 'other=1')]
    }
    assert.deepEqual(counts, [2, 0])
  })
})

describe('a shop that is offline', () => {
  test('shows its message at every address, with status 503', async () => {
    const shop = await service.openShop()
    const { id, locales } = await firstOf(shop)
    const message = { language_id: 'en', offline_message: 'Back <b>soon</b> &amp; better' }
    await put(shop, id, {
      shop_offline: true,
      locales: [message, { language_id: 'de', offline_message: 'Bald zurück' }],
    })
    for (const path of ['/', '/nothing', '/sign-in']) {
      const answer = await at(`${id}.${OWN}`, path)
      assertPage(answer, 503, locales[0].shop_name)
      assert.equal(answer.headers.get('retry-after'), '3600')
      assert.match(answer.text, /<p>Back soon &amp; better<\/p>/)
    }
    const german = await at(`${id}.${OWN}`, '/', { 'accept-language': 'de' })
    assert.match(german.text, /<div class="prose" lang="de" dir="auto"><p>Bald zurück<\/p>/)
    await put(shop, id, { shop_offline: false })
    assert.equal((await at(`${id}.${OWN}`)).status, 200)
  })

  test('says that it is closed if its owner has no message', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    await put(shop, id, { shop_offline: true })
    assert.match((await at(`${id}.${OWN}`)).text, /<p>This shop is closed at the moment\.<\/p>/)
  })
})

describe('a host without a shop', () => {
  const NONE = 'There is no shop here'

  test('says that there is no shop', async () => {
    for (const host of [
      `nobody.${OWN}`,
      `a.b.${OWN}`,
      `www.${OWN}`,
      'nobody.example.org',
      'evil.example:8080',
      'x.localhost',
    ])
      for (const path of ['/', '/sign-in', '/nothing']) {
        const answer = await at(host, path)
        assertPage(answer, 404, NONE)
        assert.ok(answer.text.includes(host.replace(/:.*/, '')), host)
      }
    assert.match((await at('"><script>.example')).text, /&#34;&#62;&#60;script&#62;\.example/)
  })

  test('is one whose theme setting is deleted or not enabled, or whose company is disabled', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    const other = await aThemeSetting(shop, { shop_domain: 'deleted.example.com' })
    assertPage(await at('deleted.example.com'), 404, NONE)
    await proveDomains(service, shop, 'deleted.example.com')
    assert.equal((await at('deleted.example.com')).status, 200)
    await shop.delete(`/api/themesettings/${other.id}.json`)
    assertPage(await at('deleted.example.com'), 404, NONE)
    const host = `${id}.${OWN}`
    assert.equal((await at(host)).status, 200)
    const set = (enabled: boolean, company_disabled: boolean) =>
      inTransaction(service.db, async (tx) => {
        await tx.updateTable('theme_settings').set({ enabled }).where('id', '=', id).execute()
        await tx.updateTable('companies').set({ company_disabled }).where('id', '=', shop.companyId).execute()
        shopChanged(tx, shop.companyId)
      })
    await set(false, false)
    assertPage(await at(host), 404, NONE)
    await set(true, true)
    assertPage(await at(host), 404, NONE)
  })

  test('may be the service itself, if its base URL is not set', async () => {
    assert.doesNotMatch((await at('nobody.example.org')).text, /LICET_BASE_URL/)
    service.app.baseUrl = service.url
    assert.match((await at('nobody.example.org')).text, /set <code>LICET_BASE_URL<\/code>/)
    assert.doesNotMatch((await at('nobody.localhost')).text, /LICET_BASE_URL/)
  })
})

describe('routes on every host', () => {
  test('include the API, pictures, the stylesheet and health', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    await put(shop, id, { shop_domain: 'every.example.com', shop_offline: true })
    await proveDomains(service, shop, 'every.example.com')
    const bearer = { authorization: `Bearer ${shop.token}` }
    for (const host of [OWN, 'every.example.com', `${id}.${OWN}`, `nobody.${OWN}`]) {
      assert.deepEqual((await at(host, '/api/themesettings/count.json', bearer)).body, { count: 1 })
      const paths = [
        '/health',
        '/ready',
        '/openapi.json',
        '/docs',
        stylePath,
        '/.well-known/oauth-authorization-server',
      ]
      for (const path of paths) assert.ok([200, 301, 302].includes((await at(host, path)).status), `${host} ${path}`)
      assert.equal((await at(host, '/pictures/1/1/x.png')).body.code, 'not_found')
      for (const path of [
        '/api/nothing.json',
        '/api',
        '/api?x=/',
        '/admin/api/nothing',
        '/admin/nothing.json',
        '/oauth2/nothing',
      ]) {
        const { status, body } = await at(host, path)
        assert.deepEqual([status, body?.code], [404, 'not_found'], `${host} ${path}`)
      }
      assert.equal((await at(host, '/token')).body.code, 'method_not_allowed', host)
      assert.equal((await at(host, '/token', {}, 'POST')).body.error, 'invalid_request', host)
    }
  })

  test('look for no shop: the API needs no additional statement', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    const count = async (host: string) => {
      const ask = () => at(host, '/api/themesettings/count.json', { authorization: `Bearer ${shop.token}` })
      await ask()
      const start = statementCount()
      await ask()
      return statementCount() - start
    }
    assert.deepEqual([await count(OWN), await count(`${id}.${OWN}`)], [1, 1])
  })
})

describe("the service's own hosts", () => {
  const LOST = 'There is nothing here'

  test('have its pages, and no shop', async () => {
    for (const host of [
      OWN,
      `${OWN}:443`,
      `${OWN.toUpperCase()}.`,
      'localhost:3000',
      '127.0.0.1',
      '[::1]:3000',
      '192.0.2.7',
      'licet',
    ]) {
      const answer = await at(host, '/sign-in')
      assert.equal(answer.status, 200, host)
      assert.match(answer.text, /<h1>Sign in<\/h1>/)
      assert.equal((await at(host)).status, 303)
    }
  })

  test('answer an unknown address with a page to browsers and with JSON to programs', async () => {
    for (const path of ['/nothing', '/signin', '/api-docs', '/%C3%BC?x=1']) {
      const page = await at(OWN, path)
      assert.equal(page.status, 404)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
      assert.match(page.text, new RegExp(`<h1>${LOST}</h1>[\\s\\S]*<a href="/admin">`))
      assert.equal(page.headers.get('cache-control'), 'no-store')
      assert.ok(page.text.includes(page.headers.get('x-request-id') ?? '-'))
      for (const accept of ['*/*', 'application/json', '']) {
        const { status, body } = await at(OWN, path, { accept })
        assert.deepEqual([status, body.code], [404, 'not_found'], accept)
      }
    }
    assert.equal((await at(OWN, '/nothing', {}, 'HEAD')).status, 404)
    assert.match((await at(OWN, '/nothing', {}, 'DELETE')).text, new RegExp(LOST))
  })
})

describe('a proxy', () => {
  test('that is trusted names the requested host', async () => {
    const { id } = await firstOf(await service.openShop())
    assert.equal((await at('inside.example', '/', { 'x-forwarded-host': `evil.example, ${id}.${OWN}` })).status, 200)
    assert.equal((await at('inside.example', '/sign-in', { 'x-forwarded-host': OWN })).status, 200)
    assert.equal((await at(OWN, '/', { 'x-forwarded-host': 'nobody.example' })).status, 404)
  })
})
