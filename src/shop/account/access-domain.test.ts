import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer } from '#test/customers.ts'
import { proveDomains } from '#test/domains.ts'
import { aCategory } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { askHost } from '#test/hosts.ts'
import { aLoginToken } from '#test/login-tokens.ts'
import { useShopPages } from '#test/shop-pages.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const pages = useShopPages(service)
const OWN = 'shops.example.com'
const ACCESS = 'my.films.example.com'

const setShop = async (ThemeSetting: object) => {
  const answer = await pages.shop.put(`/api/themesettings/${pages.base.split('/').at(-1)}.json`, { ThemeSetting })
  assert.equal(answer.status, 200, answer.text)
}

describe('the domain of My Content', () => {
  test('shows My Content and the account, and leads to the shop for the rest', async () => {
    const { token } = await aCustomer(pages.shop)
    await aCategory(pages.shop, { title: 'Films', enabled: true })
    await setShop({ shop_domain: 'films.example.com', access_domain: ACCESS, newsletter_enabled: true })
    await proveDomains(service, pages.shop, 'films.example.com', ACCESS)
    service.app.baseUrl = `https://${OWN}`
    const ask = (path: string, headers: Record<string, string> = {}) =>
      askHost(service.url, { host: ACCESS, path, headers: { 'x-forwarded-proto': 'https', ...headers } })
    assert.equal((await ask('/')).headers.get('location'), '/my-content')
    assert.equal((await ask('/my-content')).headers.get('location'), '/handover/ask?return_to=%2Fmy-content')
    const login = await ask('/login')
    assert.equal(login.status, 200)
    for (const link of ['/"><', '/search"', '/cart"', '/withdrawal"', '/categories/'])
      assert.ok(
        login.text.includes(`href="https://films.example.com${link.replace('><', '')}`),
        `${link}: ${login.text}`,
      )
    assert.match(login.text, /<a href="\/my-content">/)
    assert.doesNotMatch(login.text, /action="[^"]*\/newsletter"/)
    for (const path of ['/products/1', '/cart', '/search?q=a', '/pages/terms', '/nothing'])
      assert.equal((await ask(path)).headers.get('location'), `https://films.example.com${path}`, path)
    const entered = await ask(
      `/api/customers/login/${pages.base.split('/').at(-1)}/${await aLoginToken(service, pages.shop, { token })}`,
    )
    const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').match(/[^,; ]*licet_customer=[^;]+/) ?? []
    for (const path of ['/my-content', '/account', '/account/devices'])
      assert.equal((await ask(path, { cookie })).status, 200, path)
  })
})

describe('a customer who is signed in', () => {
  test('is spoken to in the language of the account, unless the visit has another one', async () => {
    service.app.baseUrl = service.url
    await setShop({
      access_domain: '',
      locales: ['en', 'de', 'fr'].map((language_id) => ({ language_id, shop_name: 'Kino' })),
    })
    const { email } = await aCustomer(pages.shop, { language: 'de' })
    const visitor = await pages.signIn(email)
    const language = async (path: string) =>
      /<html lang="(\w+)"/.exec((await visitor.get(`${pages.base}${path}`)).text)?.[1]
    assert.equal(await language('/account'), 'de')
    assert.equal(await language('/my-content?lang=fr'), 'fr')
    assert.equal(await language('/my-content'), 'de')
    await visitor.post(`${pages.base}/preferences`, { language: 'en', return_to: `${pages.base}/account` })
    assert.equal(await language('/account'), 'en')
    assert.match((await pages.comeIn({ 'accept-language': 'fr' }).get(`${pages.base}/`)).text, /<html lang="fr"/)
  })
})
