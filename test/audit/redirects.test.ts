import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer, CUSTOMER_PASSWORD } from '#test/customers.ts'
import { proveDomains } from '#test/domains.ts'
import { useService } from '#test/harness.ts'
import { askHost } from '#test/hosts.ts'
import { aLoginToken } from '#test/login-tokens.ts'
import { ownerOf } from '#test/people.ts'
import { useShopPages } from '#test/shop-pages.ts'
import { visit } from '#test/visitor.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const pages = useShopPages(service)
const OWN = 'shops.example.com'
const EVIL = 'evil.example'

/** What somebody would send to lead a visitor of `origin` + `base` to another host. */
function hostileForms(origin: string, base: string): string[] {
  const { host, hostname } = new URL(origin)
  const breaks = [
    '/',
    '\\',
    '\t/',
    '/\t/',
    '\n/',
    '\r\n/',
    '/\\',
    '\\/',
    './/',
    '.\\/',
    'x/..//',
    '%2e%2e//',
    '/\u0000/',
  ]
  const paths = [...breaks, '%2f', '%5c', '%09/', '%0d%0a/', '%252f'].map((text) => `/${text}${EVIL}/x`)
  return [
    `https://${EVIL}/x`,
    `//${EVIL}/x`,
    `///${EVIL}/x`,
    `\\\\${EVIL}/x`,
    ` //${EVIL}/x`,
    `\t//${EVIL}/x`,
    `https:${EVIL}/x`,
    `https:/${EVIL}/x`,
    `javascript://${host}/%0aalert(1)`,
    `data:text/html,x`,
    EVIL,
    `https://${host}@${EVIL}/`,
    `https://me:you@${host}${base}/`,
    `//${host}@${EVIL}/`,
    `https://${host}.${EVIL}/`,
    `https://${hostname}:81${base}/`,
    `https://${EVIL}\\@${host}${base}/`,
    `https://${EVIL}#@${host}${base}/`,
    ...paths,
    ...paths.map((path) => `${base}${path}`),
    ...paths.map((path) => `${origin}${base}${path}`),
    `${base}/../..//${EVIL}/x`,
    `${base}/%2e%2e/%2e%2e//${EVIL}/x`,
    `${base}\\..\\..\\\\${EVIL}`,
  ]
}

/** The address to which a browser goes from a page of the service. */
function target(location: string | null | undefined, origin: string, sent: string): URL {
  assert.ok(location, `no redirect for ${JSON.stringify(sent)}`)
  const url = URL.parse(location, `${origin}/`)
  assert.ok(url, `${location} for ${JSON.stringify(sent)}`)
  return url
}

/** Asserts that a browser stays below a path of an origin. */
function assertStays(location: string | null | undefined, origin: string, base: string, sent: string): void {
  const url = target(location, origin, sent)
  assert.equal(url.origin, origin, `${location} for ${JSON.stringify(sent)}`)
  assert.ok(`${url.pathname}/`.startsWith(`${base}/`), `${location} for ${JSON.stringify(sent)}`)
  assert.ok(!/^\/[/\\]/.test(url.pathname), `${location} for ${JSON.stringify(sent)}`)
}

describe('a redirect after a form of a shop', () => {
  test('stays in the shop, whatever return_to says', async () => {
    const { email } = await aCustomer(pages.shop)
    for (const return_to of hostileForms(service.url, pages.base)) {
      const chosen = await pages.comeIn().post(`${pages.base}/preferences`, { language: 'en', return_to })
      assertStays(chosen.location, service.url, pages.base, return_to)
      const discount = await pages.comeIn().post(`${pages.base}/cart/discount`, { code: '', return_to })
      if (discount.location !== undefined) assertStays(discount.location, service.url, pages.base, return_to)
      const asked = await pages.comeIn().get(`${pages.base}/login?return_to=${encodeURIComponent(return_to)}`)
      assert.equal(asked.status, 200)
    }
    const few = hostileForms(service.url, pages.base).filter((_, index) => index % 4 === 0)
    for (const return_to of few) {
      const answer = await pages.comeIn().post(`${pages.base}/login`, { email, password: CUSTOMER_PASSWORD, return_to })
      assert.equal(answer.status, 303, answer.text)
      assertStays(answer.location, service.url, pages.base, return_to)
    }
  })

  test('stays in the shop for an address with two slashes', async () => {
    for (const path of [`//${EVIL}/account`, `/\\${EVIL}/account`, `/%2f${EVIL}`]) {
      const { location } = await pages.comeIn().get(`${pages.base}${path}`)
      if (location !== undefined) assertStays(location, service.url, pages.base, path)
    }
  })
})

describe('a redirect of the account pages', () => {
  test('stays on the service, whatever return_to says', async () => {
    const owner = await ownerOf(service, pages.shop)
    const visitor = visit(service.url)
    await visitor.get('/sign-in')
    assert.equal((await visitor.submit('/sign-in', owner)).status, 303)
    for (const place of hostileForms(service.url, '/account')) {
      const { location } = await visitor.get(`/sign-in?return_to=${encodeURIComponent(place)}`)
      assertStays(location, service.url, '', place)
    }
  })
})

describe('a login with a token', () => {
  test('leads to no other host, at no address of the shop, moved or not', async () => {
    const owner = await service.openShop()
    const id = (await owner.get('/api/themesettings.json')).body.ThemeSettings[0].id
    await owner.put(`/api/themesettings/${id}.json`, { ThemeSetting: { shop_domain: 'films.example.com' } })
    await proveDomains(service, owner, 'films.example.com')
    const { token } = await aCustomer(owner)
    service.app.baseUrl = `https://${OWN}`
    const ways = [
      { host: OWN, base: `/shop/${id}` },
      { host: 'films.example.com', base: '' },
      { host: `${id}.${OWN}`, base: '' },
    ]
    const known = new Set(ways.map(({ host }) => `https://${host}`))
    const headers = { 'x-forwarded-proto': 'https' }
    for (const { host, base } of ways)
      for (const about of ways)
        for (const return_to of hostileForms(`https://${about.host}`, about.base)) {
          const login = `/api/customers/login/${id}/${await aLoginToken(service, owner, { token, return_to })}`
          const away = await askHost(service.url, { host, headers, path: login })
          const { origin } = target(away.headers.get('location'), `https://${host}`, return_to)
          assert.ok(known.has(origin), `${origin} for ${JSON.stringify(return_to)}`)
          const moved = await askHost(service.url, { host, headers, path: `${login}?moved=1` })
          if (moved.status === 303) assertStays(moved.headers.get('location'), `https://${host}`, base, return_to)
        }
  })

  test('sends no header that the token has made up', async () => {
    service.app.baseUrl = `https://${OWN}`
    const id = pages.base.split('/').at(-1)
    for (const text of [
      'x%0d%0aset-cookie:a=b',
      'x%00',
      'x%E2%82%AC',
      '..%2f..%2f..%2f%2fevil.example',
      '%2f%2fevil.example',
    ]) {
      const answer = await askHost(service.url, {
        host: 'other.example.com',
        path: `/api/customers/login/${id}/${text}`,
      })
      assert.ok(answer.status < 500, `${text}: ${answer.status}`)
      assert.equal(answer.headers.get('set-cookie'), null)
      const location = answer.headers.get('location')
      if (location !== null) assert.equal(new URL(location).hostname, OWN, text)
    }
  })
})

describe('the domain of My Content', () => {
  test('leads to no other host than that of its shop', async () => {
    const owner = await service.openShop()
    const id = (await owner.get('/api/themesettings.json')).body.ThemeSettings[0].id
    const domains = { shop_domain: 'books.example.com', access_domain: 'my.books.example.com' }
    await owner.put(`/api/themesettings/${id}.json`, { ThemeSetting: domains })
    await proveDomains(service, owner, ...Object.values(domains))
    service.app.baseUrl = `https://${OWN}`
    for (const path of [
      `//${EVIL}/`,
      `/\\${EVIL}`,
      `http://${EVIL}/x`,
      '/@evil.example',
      '/.evil.example',
      '/%0d%0ax',
    ]) {
      const answer = await askHost(service.url, { host: domains.access_domain, path })
      const location = answer.headers.get('location')
      if (location !== null)
        assert.equal(target(location, `https://${domains.access_domain}`, path).hostname, domains.shop_domain)
    }
  })
})

describe('the prompt of an app', () => {
  test('sends nobody to an address that the app has not registered', async () => {
    const client = await service.db.selectFrom('apps').select(['client_id', 'redirect_uris']).executeTakeFirstOrThrow()
    const [own = 'https://app.example.com/'] = client.redirect_uris
    for (const uri of [
      ...hostileForms(new URL(own).origin, ''),
      `${own}/..//${EVIL}`,
      `${own}@${EVIL}`,
      `${own}.${EVIL}`,
    ])
      for (const path of ['/oauth2/auth', '/oauth2/player']) {
        const query = new URLSearchParams({ client_id: client.client_id, redirect_uri: uri, response_type: 'nothing' })
        const { status, location } = await visit(service.url).get(`${path}?${query}`)
        assert.deepEqual(
          [status >= 400 && status < 500, location],
          [true, undefined],
          `${path} ${uri}: ${status} ${location}`,
        )
      }
  })
})
