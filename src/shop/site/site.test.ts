import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { aPrice, aProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { askHost } from '#test/hosts.ts'
import { signedIn } from '#test/people.ts'
import { visit } from '#test/visitor.ts'

const themesFolder = `${await mkdtemp(join(tmpdir(), 'licet-themes-'))}/`
await cp(new URL('../../../themes/', import.meta.url), themesFolder, { recursive: true })
after(() => rm(themesFolder, { recursive: true }))

const service = useService({ themesFolder })
const OWN = 'shops.example.com'

beforeEach(() => {
  service.app.baseUrl = `https://${OWN}`
})

const at = (host: string, path = '/') => askHost(service.url, { host, path })

async function firstOf(shop: Shop): Promise<Wire> {
  return (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
}

async function put(shop: Shop, id: number, ThemeSetting: object): Promise<void> {
  assert.equal((await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting })).status, 200)
}

const OURS = { 'sec-fetch-site': 'same-origin' }

describe('a shop below the address of the service', () => {
  test('has the same pages, and every link begins with its path', async () => {
    const shop = await service.openShop()
    const { id, locales } = await firstOf(shop)
    for (const path of [`/shop/${id}`, `/shop/${id}/`]) {
      const answer = await at(OWN, path)
      assert.equal(answer.status, 200)
      assert.match(answer.text, new RegExp(`<h1 dir="auto">${locales[0].shop_name}</h1>`))
      assert.ok(answer.text.includes(`<a class="brand" href="/shop/${id}/">`))
      assert.ok(answer.text.includes(`<link rel="canonical" href="https://${id}.${OWN}/">`), answer.text)
      assert.doesNotMatch(answer.text, /(href|action)="\/(?!shop\/|assets\/|pictures\/)/)
    }
    assert.equal((await at(OWN, `/shop/${id}/nothing`)).status, 404)
    for (const path of ['/shop/999999', '/shop/x', '/shop/1e3/'])
      assert.match((await at(OWN, path)).text, /<h1>There is nothing here<\/h1>/)
    assert.equal((await at(`${id}.${OWN}`, `/shop/${id}`)).status, 404)
  })

  test('that is offline is kept by no cache while its owner looks at it', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    await put(shop, id, { shop_offline: true })
    const owner = await signedIn(service, shop)
    for (const path of ['/sitemap.xml', '/search/suggestions?q=x', '/robots.txt', '/search?q=x', '']) {
      const { status, headers } = await owner.get(`/shop/${id}${path}`)
      assert.deepEqual([status, headers.get('cache-control')], [200, 'private, no-store'], path)
    }
    await put(shop, id, { shop_offline: false })
    const { headers } = await owner.get(`/shop/${id}/sitemap.xml`)
    assert.equal(headers.get('cache-control'), 'public, max-age=3600')
  })

  test('that is offline is open to its owner, and to nobody else', async () => {
    service.app.baseUrl = service.url
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    await put(shop, id, { shop_offline: true })
    const owner = await signedIn(service, shop)
    const stranger = await signedIn(service, await service.openShop())
    const page = await owner.get(`/shop/${id}`)
    assert.equal(page.status, 200)
    assert.match(page.text, /This shop is offline\. Only you can see it\./)
    assert.equal((await stranger.get(`/shop/${id}`)).status, 503)
    assert.equal((await visit(service.url).get(`/shop/${id}`)).status, 503)
  })

  test('keeps what a visitor chooses, for this shop only', async () => {
    service.app.baseUrl = service.url
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    const german = { language_id: 'de', shop_name: 'Bücher' }
    await put(shop, id, { locales: [{ language_id: 'en', shop_name: 'Books' }, german] })
    const chosen = (body: string, headers = {}) =>
      fetch(`${service.url}/shop/${id}/preferences`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...OURS, ...headers },
        body,
      })
    const answer = await chosen(`language=de&country=AT&return_to=/shop/${id}/search?q=x`)
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, `/shop/${id}/search?q=x`])
    const cookie = answer.headers.get('set-cookie') ?? ''
    assert.match(cookie, new RegExp(`^licet_shop=de\\.AT\\.; Max-Age=\\d+; Path=/shop/${id}; HttpOnly; SameSite=Lax$`))
    const page = await fetch(`${service.url}/shop/${id}`, { headers: { cookie: cookie.split(';')[0] ?? '' } })
    assert.equal(page.headers.get('cache-control'), 'private, no-cache')
    assert.match(await page.text(), /<html lang="de" dir="ltr">[\s\S]*Bücher/)
    const away = await chosen('language=xx&currency=EUR&return_to=//evil.example/')
    assert.equal(away.headers.get('location'), `/shop/${id}/`)
    assert.match(away.headers.get('set-cookie') ?? '', /^licet_shop=\.\.;/)
  })

  test('takes forms from its own pages only', async () => {
    service.app.baseUrl = service.url
    const { id } = await firstOf(await service.openShop())
    const { host } = new URL(service.url)
    const send = async (headers: Record<string, string>) => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await fetch(`${service.url}/shop/${id}/preferences`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...type, ...headers },
        body: 'language=en',
      })
      return { status: answer.status, text: await answer.text() }
    }
    assert.equal((await send(OURS)).status, 303)
    assert.equal((await send({ origin: `http://${host}` })).status, 303)
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: `http://${host}` },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const { status, text } = await send(headers)
      assert.equal(status, 403, JSON.stringify(headers))
      assert.match(text, /not sent from a page of this shop/)
    }
  })
})

describe('the assets of a theme', () => {
  test('are served on every host, for ever under the address that names their content', async () => {
    const { id } = await firstOf(await service.openShop())
    const page = await at(`${id}.${OWN}`)
    const [, path = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page.text) ?? []
    for (const host of [OWN, `${id}.${OWN}`]) {
      const css = await at(host, path)
      assert.equal(css.headers.get('content-type'), 'text/css; charset=utf-8')
      assert.equal(css.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    }
    assert.equal((await at(OWN, path.replace(/\?.*/, ''))).headers.get('cache-control'), 'public, max-age=86400')
    for (const missing of ['/assets/themes/default/inter-LICENSE.txt', '/assets/themes/other/shop.css'])
      assert.equal((await at(OWN, missing)).status, 404)
    assert.equal((await at(OWN, '/assets/themes/default/..%2f..%2fpackage.json')).status, 404)
  })
})

describe('a theme whose page is about the visitor', () => {
  test('shows each visitor their own', async () => {
    service.app.baseUrl = service.url
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 500 }] })
    const product = await aProduct(shop, {
      product_type: 6,
      title: 'Lantern',
      published: true,
      price_license_binding: [{ price_id: price.id }],
    })
    const home = join(themesFolder, 'default', 'templates/home.liquid')
    const before = await readFile(home, 'utf8')
    const [buyer, other] = [visit(service.url, OURS), visit(service.url, OURS)]
    await buyer.get(`/shop/${id}/products/${product.id}`)
    await buyer.submit(`/shop/${id}/cart`)
    other.cookies.set('any', '1')
    try {
      await writeFile(home, "{% render 'mine' %}")
      await writeFile(join(themesFolder, 'default', 'snippets/mine.liquid'), '<h1>{{ cart.count }} chosen</h1>')
      const seen = await Promise.all([buyer, other, buyer, other].map((visitor) => visitor.get(`/shop/${id}/`)))
      assert.deepEqual(
        seen.map(({ text }) => /<h1>(.*)<\/h1>/.exec(text)?.[1]),
        ['1 chosen', '0 chosen', '1 chosen', '0 chosen'],
      )
    } finally {
      await writeFile(home, before)
    }
  })
})

describe('a sandbox', () => {
  test('has its mark on every page once, also in a theme with a layout of its own', async () => {
    service.app.baseUrl = service.url
    const shop = await service.openShop({ sandbox: true })
    const { id } = await firstOf(shop)
    const real = await firstOf(await service.openShop())
    const marksOn = async (path: string, shopId = id) => {
      const { text } = await visit(service.url).get(`/shop/${shopId}${path}`)
      return [...text.matchAll(/data-sandbox>Sandbox\. It is [^<]+</g)].length
    }
    const layout = join(themesFolder, 'default/layout/theme.liquid')
    const before = await readFile(layout, 'utf8')
    const PATHS = ['/', '/search', '/reset', '/cart', '/withdrawal', '/nothing']
    try {
      for (const text of [before, '<!doctype html><body class="own">{{ content_for_layout | safe_html }}</body>']) {
        await writeFile(layout, text)
        const marks: number[] = []
        for (const path of PATHS) marks.push(await marksOn(path))
        assert.deepEqual(
          marks,
          PATHS.map(() => 1),
        )
        assert.equal(await marksOn('/', real.id), 0)
      }
    } finally {
      await writeFile(layout, before)
    }
  })
})

describe('a theme that its author breaks', () => {
  const edit = async (path: string, text: string) => {
    await mkdir(dirname(join(themesFolder, 'default', path)), { recursive: true })
    await writeFile(join(themesFolder, 'default', path), text)
  }
  const original = (path: string) => readFile(new URL(`../../../themes/default/${path}`, import.meta.url), 'utf8')

  for (const [path, mistake, line] of [
    ['templates/search.liquid', '<p>\n{% if %}\n</p>', 2],
    ['snippets/footer.liquid', "\n\n{{ 'x' | nonsense }}", 3],
    ['layout/theme.liquid', '{% endfor %}', 1],
    ['locales/de.json', '{', undefined],
  ] as const)
    test(`shows its owner the mistake in ${path}, and everybody else the page as it was`, async () => {
      service.app.baseUrl = service.url
      const shop = await service.openShop()
      const { id } = await firstOf(shop)
      const owner = await signedIn(service, shop)
      const others = [visit(service.url), await signedIn(service, await service.openShop())]
      const address = `/shop/${id}/search`
      const before = await Promise.all(others.map((other) => other.get(address)))
      try {
        await edit(path, mistake)
        const told = await owner.get(address)
        assert.equal(told.status, 500)
        assert.match(told.text, /<h1>The theme has a mistake<\/h1>/)
        const place = line === undefined ? path : `${path}, line ${line}`
        assert.ok(told.text.includes(`<code>${place}</code>`), told.text)
        for (const [index, other] of others.entries()) {
          const seen = await other.get(address)
          assert.deepEqual([seen.status, seen.text], [200, before[index]?.text])
        }
        // On the host of the shop nobody is known as its owner.
        service.app.baseUrl = `https://${OWN}`
        assert.match((await at(`${id}.${OWN}`, '/search')).text, /<h1[^>]*>Search<\/h1>/)
        service.app.baseUrl = service.url
      } finally {
        // The theme of the service has no texts of its own.
        if (path.startsWith('locales/')) await rm(join(themesFolder, 'default', 'locales'), { recursive: true })
        else await edit(path, await original(path))
      }
      assert.equal((await owner.get(address)).status, 200)
    })

  test('shows a page that says so where there was none before, and what it becomes at once', async () => {
    service.app.baseUrl = service.url
    const { id } = await firstOf(await service.openShop())
    const guest = visit(service.url)
    try {
      await edit('templates/login.liquid', '{% if %}')
      const { status, text } = await guest.get(`/shop/${id}/login`)
      assert.equal(status, 503)
      assert.doesNotMatch(text, /login\.liquid|The theme has a mistake/)
      assert.match(text, /<code>[\w-]+<\/code>/, 'has the number of the request')
      await edit('templates/login.liquid', '<h1>Mended</h1>')
      assert.match((await guest.get(`/shop/${id}/login`)).text, /<h1>Mended<\/h1>/)
    } finally {
      await edit('templates/login.liquid', await original('templates/login.liquid'))
    }
  })
})
