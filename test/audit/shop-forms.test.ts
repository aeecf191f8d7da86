import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anEpub } from '../books.ts'
import { HOME, openCheckout, orderIdOn, pay, put } from '../checkout.ts'
import { anEmail, CUSTOMER_PASSWORD } from '../customers.ts'
import { aThemeSetting } from '../factories.ts'
import { useService } from '../harness.ts'
import { someGoods } from '../orders.ts'
import { enterShop, ownedContent } from '../owned-content.ts'
import { snapshot } from '../snapshot.ts'
import { visit } from '../visitor.ts'
import { collectRoutes } from './collect-routes.ts'

const allRoutes = collectRoutes()
const service = useService()

describe('every form of a shop', () => {
  test('is refused unless a page of the shop has sent it', async () => {
    const shop = await service.openShop()
    const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
    const posts = allRoutes().filter(({ method, url }) => method === 'POST' && url.startsWith('/shop/:shop'))
    assert.ok(posts.length >= 20, `${posts.length}`)
    const before = await snapshot(service.db)
    for (const { url } of posts) {
      const path = url.replace(':shop', id).replace(/:\w+/g, '1')
      for (const headers of [
        {},
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ]) {
        const answer = await visit(service.url).post(path, {}, headers)
        assert.equal(answer.status, 403, `${path} ${JSON.stringify(headers)}: ${answer.text}`)
      }
    }
    assert.deepEqual(await snapshot(service.db), before)
  })
})

describe('every page of a shop', () => {
  test('can be framed by the sites that its owner has named, and by nobody else', async () => {
    const shop = await service.openShop()
    const [closed, open] = [
      await aThemeSetting(shop),
      await aThemeSetting(shop, { frame_origins: ['https://portal.example'] }),
    ]
    const pages = allRoutes().filter(({ method, url }) => method === 'GET' && url.startsWith('/shop/:shop'))
    const policies: string[] = []
    for (const { url } of pages)
      for (const { id, ancestors } of [
        { id: closed.id, ancestors: "'none'" },
        { id: open.id, ancestors: 'https://portal.example' },
      ]) {
        const { headers } = await visit(service.url).get(url.replace(':shop', id).replace(/:\w+|\*/g, '1'))
        if (!headers.get('content-type')?.startsWith('text/html')) continue
        const policy = headers.get('content-security-policy') ?? ''
        assert.ok(policy.split('; ').includes(`frame-ancestors ${ancestors}`), `${url}: ${policy}`)
        policies.push(policy)
      }
    assert.ok(policies.length >= 30, `${policies.length}`)
  })

  const EVIL = `"'><img src=x onerror=alert(1)><script>alert(2)</script>`
  const assertHarmless = ({ text }: { text: string }, where: string) => {
    assert.doesNotMatch(text, /<img src=x|<script>alert/i, where)
    assert.match(text, /&lt;img|&#60;img|%3Cimg/i, `${where} does not show the text at all`)
  }

  test('shows what customers have entered at checkout as text', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    await put(guest, at.base, await someGoods(service, at.shop, undefined, { title: EVIL }))
    const details = { ...HOME, first_name: EVIL, last_name: EVIL, address1: EVIL, city: EVIL, company: EVIL }
    await guest.get(`${at.base}/checkout`)
    const form = { email: EVIL, country: 'DE', ...details, vat_id: EVIL, phone: EVIL, gift_message: EVIL }
    const wrong = await guest.submit(`${at.base}/checkout`, form)
    assert.equal(wrong.status, 422)
    assertHarmless(wrong, 'the form')
    const email = anEmail()
    const paying = await guest.follow(
      await guest.post(`${at.base}/checkout`, { ...details, email, country: 'DE', vat_id: '' }),
    )
    assertHarmless(paying, 'the payment')
    assertHarmless(await guest.post(`${at.base}/checkout/pay`, { total: '1', gateway: 'Test', card: EVIL }), 'a card')
    await guest.get(`${at.base}/checkout/pay`)
    const placed = await pay(guest, at.base)
    assertHarmless(placed, 'the order')
    assert.ok(orderIdOn(placed) > 0, placed.text)
  })

  test('shows the titles of books as text, also while they are prepared', async () => {
    const { shop, base } = await openCheckout(service)
    const files = [{ bytes: anEpub(), name: 'book.epub' }]
    const { id, customer } = await ownedContent(service, shop, { files, product: { product_type: 16, title: EVIL } })
    const visitor = await enterShop(service, shop, base, customer)
    const waiting = await visitor.follow(await visitor.post(`${base}/my-content/${id}/read`, {}))
    assert.equal(waiting.headers.get('refresh'), '3')
    assertHarmless(waiting, 'the page that waits')
    const [order] = (await shop.get('/api/orders.json')).body.orders
    for (const path of ['/my-content', `/my-content/${id}`, `/account/orders/${order.id}`])
      assertHarmless(await visitor.get(`${base}${path}`), path)
  })
})

describe('a form of a shop that leads somewhere', () => {
  test('never leads out of the shop', async () => {
    const { shop, base } = await openCheckout(service)
    const { customer } = await ownedContent(service, shop, { files: [] })
    for (const away of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      `${base}/../../evil`,
      `${base}@evil.example`,
    ]) {
      const visitor = visit(service.url, { 'sec-fetch-site': 'same-origin' })
      const answers = {
        login: { email: customer.email, password: CUSTOMER_PASSWORD, decision: 'password' },
        preferences: { language: 'en' },
        'cart/discount': { code: 'NONE' },
        'cart/country': { country: 'DE' },
      }
      for (const [path, fields] of Object.entries(answers)) {
        const { location = '' } = await visitor.post(`${base}/${path}`, { ...fields, return_to: away })
        const { origin, pathname } = new URL(location, service.url)
        assert.equal(origin, service.url, `${path} ${away}: ${location}`)
        assert.ok(location !== '' && pathname.startsWith(base), `${path} ${away}: ${location}`)
      }
    }
  })
})
