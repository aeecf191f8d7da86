import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { aCustomer } from '#test/customers.ts'
import { proveDomains } from '#test/domains.ts'
import type { Wire } from '#test/factories.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { askHost } from '#test/hosts.ts'
import { aLoginToken } from '#test/login-tokens.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const OWN = 'shops.example.com'
let shops = 0

type Scene = { shop: Shop; id: number; home: string; access: string }

async function aShop(): Promise<Scene> {
  shops += 1
  const [home, access] = [`films${shops}.example.com`, `my${shops}.example.com`]
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const ThemeSetting = { shop_domain: home, access_domain: access }
  assert.equal((await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting })).status, 200)
  await proveDomains(service, shop, home, access)
  service.app.baseUrl = `https://${OWN}`
  return { shop, id, home, access }
}

/** A browser that keeps the cookies of each host. */
function aBrowser() {
  const jars = new Map<string, Map<string, string>>()
  async function get(address: string, method = 'GET'): Promise<Answer> {
    const { host, pathname, search } = new URL(address)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'x-forwarded-proto': 'https', 'sec-fetch-site': 'same-origin', cookie }
    const answer = await askHost(service.url, { host, path: `${pathname}${search}`, method, headers })
    for (const [, name = '', value = ''] of (answer.headers.get('set-cookie') ?? '').matchAll(
      /(?:^|,)\s*([\w-]*licet_\w+)=([^;]*)/g,
    ))
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    return answer
  }
  /** Follows redirects to the end, and says through which addresses they led. */
  async function open(address: string): Promise<{ answer: Answer; at: string; way: string[] }> {
    const way: string[] = []
    for (let at = address; way.length < 10; ) {
      const answer = await get(at)
      const next = answer.headers.get('location')
      if (next === null) return { answer, at, way }
      at = new URL(next, at).href
      way.push(at)
    }
    throw new Error(`the redirects do not end: ${way.join(' ')}`)
  }
  return { get, open, jars }
}

async function signedIn({ shop, id, home }: Scene, { token }: Wire) {
  const browser = aBrowser()
  const login = await aLoginToken(service, shop, { token, return_to: `https://${home}/account` })
  const entered = await browser.open(`https://${home}/api/customers/login/${id}/${login}`)
  assert.equal(entered.at, `https://${home}/account`)
  return browser
}

describe('the session of a shop', () => {
  test('goes along to the domain of My Content, from every page of the shop', async () => {
    const scene = await aShop()
    const { shop, home, access } = scene
    const customer = await aBuyer(shop)
    await anOrder(shop, customer, [await aFilm(service, shop, 999, { title: 'Tern Island' })])
    const browser = await signedIn(scene, customer)
    const { answer, at } = await browser.open(`https://${home}/my-content?kind=film`)
    assert.equal(at, `https://${access}/my-content?kind=film`)
    assert.equal(answer.status, 200)
    assert.match(answer.text, /Tern Island/)
    const [owned] = (await shop.get(`/api/customers/${customer.token}/content.json`)).body.content
    assert.equal(
      (await browser.open(`https://${home}/my-content/${owned.id}`)).at,
      `https://${access}/my-content/${owned.id}`,
    )
    // The second time the domain knows the browser.
    assert.equal((await browser.open(`https://${home}/my-content`)).way.length, 2)
  })

  test('is found by a link that leads to the domain of My Content, as those of mails do', async () => {
    const scene = await aShop()
    const browser = await signedIn(scene, await aCustomer(scene.shop))
    const { answer, at } = await browser.open(`https://${scene.access}/my-content`)
    assert.equal(at, `https://${scene.access}/my-content`)
    assert.equal(answer.status, 200)
  })

  test('comes from the address of the service, too', async () => {
    const scene = await aShop()
    const { shop, id, access } = scene
    const { token } = await aCustomer(shop)
    const browser = aBrowser()
    const return_to = `https://${OWN}/shop/${id}/account`
    const login = await aLoginToken(service, shop, { token, return_to })
    await browser.open(`https://${OWN}/api/customers/login/${id}/${login}`)
    const { answer, at } = await browser.open(`https://${OWN}/shop/${id}/my-content`)
    assert.equal(at, `https://${access}/my-content`)
    assert.equal(answer.status, 200)
  })

  test('ends at both when the customer signs out at one', async () => {
    for (const place of ['home', 'access'] as const) {
      const scene = await aShop()
      const browser = await signedIn(scene, await aCustomer(scene.shop))
      await browser.open(`https://${scene.home}/my-content`)
      assert.equal((await browser.get(`https://${scene[place]}/logout`, 'POST')).status, 303)
      assert.match((await browser.open(`https://${scene.access}/my-content`)).at, /\/login\?/, place)
      assert.match((await browser.open(`https://${scene.home}/account`)).at, /\/login\?/, place)
    }
  })

  test('of somebody who is not signed in anywhere leads to the sign-in, and back to the page', async () => {
    const { home, access } = await aShop()
    const { at } = await aBrowser().open(`https://${home}/my-content/12?token=abc`)
    assert.equal(at, `https://${access}/login?return_to=%2Fmy-content%2F12%3Ftoken%3Dabc&token=abc`)
  })

  test('works for one browser, once and for a minute', async () => {
    const scene = await aShop()
    const browser = await signedIn(scene, await aCustomer(scene.shop))
    const offered = async () => {
      const ask = await browser.get(`https://${scene.access}/handover/ask?return_to=/my-content`)
      return (await browser.get(String(ask.headers.get('location')))).headers.get('location') ?? ''
    }
    const isIn = async (address: string, by = browser) =>
      (await by.get(address)).headers.get('location') === '/my-content'
    const stranger = aBrowser()
    await stranger.get(`https://${scene.access}/handover/ask?return_to=/my-content`)
    const first = await offered()
    assert.match(first, new RegExp(`^https://${scene.access}/handover/take/[\\w-]{43}\\?`))
    // Neither another browser, nor one without a value, nor the token as a cookie.
    assert.equal(await isIn(first, stranger), false)
    assert.equal(await isIn(first, aBrowser()), false)
    const [, token = ''] = /take\/([\w-]+)/.exec(first) ?? []
    const cookie = { 'x-forwarded-proto': 'https', cookie: `__Host-licet_customer=${token}; licet_customer=${token}` }
    const tried = await askHost(service.url, { host: scene.access, path: '/my-content', headers: cookie })
    assert.equal(tried.status, 303)
    assert.equal(await isIn(first), true)
    const again = aBrowser()
    again.jars.set(
      scene.access,
      new Map([...(browser.jars.get(scene.access) ?? [])].filter(([name]) => name.includes('handover'))),
    )
    assert.equal(await isIn(first, again), false)
    browser.jars.delete(scene.access)
    const late = await offered()
    service.clock.advance(61)
    assert.equal(await isIn(late), false)
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from customer_sessions
      where company_id = ${scene.shop.companyId} and handover_state is null and parent_hash is not null`.execute(
      service.db,
    )
    assert.equal(rows[0]?.count, 1)
  })

  test('is not given to other hosts, and the page to return to lies in the shop', async () => {
    const scene = await aShop()
    const browser = await signedIn(scene, await aCustomer(scene.shop))
    for (const path of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
      const query = new URLSearchParams({ return_to: path, from: 'https://evil.example' })
      const { at, way } = await browser.open(`https://${scene.access}/handover/ask?${query}`)
      assert.equal(at, `https://${scene.access}/my-content`, path)
      for (const each of way) assert.match(each, new RegExp(`^https://(${scene.access}|${scene.home})/`))
    }
    const state = 'A'.repeat(43)
    const given = await browser.get(
      `https://${scene.home}/handover/give?state=${state}&return_to=https://evil.example/`,
    )
    assert.match(given.headers.get('location') ?? '', new RegExp(`^https://${scene.access}/handover/take/`))
    for (const path of [`handover/give?state=short`, 'handover/ask', 'handover/take/abc'])
      assert.equal((await browser.get(`https://${scene.home}/${path}`)).status, 404, path)
    assert.equal((await browser.get(`https://${scene.access}/handover/give?state=${state}`)).status, 404)
  })
})

describe('a login token', () => {
  test('leads to My Content at its own domain', async () => {
    const { shop, id, home, access } = await aShop()
    const { token } = await aCustomer(shop)
    for (const return_to of [undefined, '/my-content?kind=film', `https://${home}/my-content?kind=film`]) {
      const login = await aLoginToken(service, shop, { token, ...(return_to === undefined ? {} : { return_to }) })
      const browser = aBrowser()
      const { answer, at } = await browser.open(`https://${OWN}/api/customers/login/${id}/${login}`)
      assert.equal(at, `https://${access}/my-content${return_to === undefined ? '' : '?kind=film'}`)
      assert.equal(answer.status, 200)
    }
  })
})
