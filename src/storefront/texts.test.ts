import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { offer } from '#test/payments.ts'
import { visit } from '#test/visitor.ts'

const service = useService()
const OURS = { 'sec-fetch-site': 'same-origin', 'accept-language': 'en' }
const NAMES = ['about', 'imprint', 'terms', 'withdrawal', 'privacy']
const EVIL =
  '<script>alert(1)</script><img src=x onerror=alert(2)><form action="//evil.example"><input></form><p>Kept</p>'

async function open(locales: object[] = []) {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const base = `/shop/${id}`
  await change(shop, id, { locales })
  return { shop, id, base, as: (language: string) => visit(service.url, { ...OURS, 'accept-language': language }) }
}

async function change(shop: Shop, id: number, ThemeSetting: object): Promise<void> {
  const answer = await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting })
  assert.equal(answer.status, 200, answer.text)
}

const mainOf = ({ text }: { text: string }) => /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''

describe('the legal texts of a shop', () => {
  test('are pages in the language of the visitor, or in one that has the text', async () => {
    const { base, as } = await open([
      { language_id: 'en', terms: '<h1>Our terms</h1><p>Be kind.</p>', imprint: 'Main Street 1\nBerlin' },
      { language_id: 'de', terms: '<p>Unsere AGB</p>' },
    ])
    const german = await as('de').get(`${base}/pages/terms`)
    assert.equal(german.status, 200)
    assert.match(german.text, /<title>AGB · /)
    assert.match(mainOf(german), /<div class="prose" lang="de" dir="auto"><p>Unsere AGB<\/p><\/div>/)
    assert.match(mainOf(await as('en').get(`${base}/pages/terms`)), /<h3>Our terms<\/h3><p>Be kind\.<\/p>/)
    assert.match(mainOf(await as('de').get(`${base}/pages/imprint`)), /lang="en" dir="auto"><p>Main Street 1<br/)
  })

  test('have a page and links only where the owner wrote something', async () => {
    const { shop, id, base, as } = await open()
    const guest = as('en')
    for (const name of [...NAMES, 'nothing', '__proto__'])
      assert.equal((await guest.get(`${base}/pages/${name}`)).status, 404, name)
    assert.doesNotMatch((await guest.get(base)).text, /\/pages\//)
    // An editor leaves empty tags behind.
    await change(shop, id, { locales: [{ language_id: 'en', about: '<p><br></p>', privacy: '<p>None kept.</p>' }] })
    const { text } = await guest.get(base)
    assert.deepEqual(text.match(/\/pages\/\w+/g), ['/pages/privacy'])
    assert.match(text, new RegExp(`<a href="${base}/pages/privacy">Privacy</a>`))
    assert.equal((await guest.get(`${base}/pages/about`)).status, 404)
  })

  test('run no script and ask for nothing', async () => {
    const { base, as } = await open([{ language_id: 'en', ...Object.fromEntries(NAMES.map((name) => [name, EVIL])) }])
    for (const name of NAMES) {
      const main = mainOf(await as('en').get(`${base}/pages/${name}`))
      assert.match(main, /<p>Kept<\/p>/, name)
      assert.doesNotMatch(main, /alert|<script|<img|<form|<input/, name)
    }
  })

  test('stand beside the order button', async () => {
    const { shop, id, base, as } = await open()
    await offer(service, shop, { test: { enabled: true } })
    const { product_id } = await aFilm(service, shop)
    const guest = as('en')
    await guest.post(`${base}/cart`, { product_id })
    await guest.get(`${base}/checkout`)
    const atEnd = await guest.follow(await guest.submit(`${base}/checkout`, { country: 'DE', email: 'a@example.com' }))
    assert.match(mainOf(atEnd), /You buy from/)
    assert.doesNotMatch(mainOf(atEnd), /you accept|\/pages\//)
    const texts = { about: 'Us', terms: 'Ours', withdrawal: '14 days', privacy: 'None kept' }
    await change(shop, id, { locales: [{ language_id: 'en', ...texts }] })
    const main = mainOf(await guest.get(`${base}/checkout/pay`))
    assert.match(main, new RegExp(`By ordering you accept the <a href="${base}/pages/terms">terms</a> of [^<]+\\.<br>`))
    assert.deepEqual(main.match(/\/pages\/\w+/g), ['/pages/terms', '/pages/withdrawal', '/pages/privacy'])
  })
})
