import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acceptedLanguages } from '#platform/text/accepted-languages.ts'
import {
  chooseCurrency,
  chooseLanguage,
  countryOf,
  directionOf,
  inOrder,
  isFromSamePage,
  otherHost,
  readPreferences,
  returnPath,
  shopOrigin,
  textIn,
} from './rules.ts'

describe('the languages that a visitor accepts', () => {
  for (const [header, languages] of [
    ['', []],
    ['de', ['de']],
    ['de-AT, de;q=0.9, en;q=0.8', ['de-at', 'de', 'en']],
    ['en;q=0.5,fr , de;q=0.7', ['fr', 'de', 'en']],
    ['en;q=0, *, de ; q=0.1', ['de']],
    ['en;q=abc, 7, ;;;, -, fr;q=1.0', ['fr']],
    ['x'.repeat(5000), []],
  ] as const) {
    test(header.slice(0, 40) || 'none', () => assert.deepEqual(acceptedLanguages(header), languages))
  }

  test('are read fast from any header', () => {
    const start = performance.now()
    acceptedLanguages(`${'a-'.repeat(50_000)};q=`)
    assert.ok(performance.now() - start < 100)
  })
})

describe('the text of a shop', () => {
  const EMPTY = { shop_description: '', offline_message: '', seo_title: '', seo_description: '', seo_keywords: '' }
  const locales = ['fr', 'de', 'pt-br', 'en', 'de-at'].map((language, id) => ({
    ...EMPTY,
    id,
    language,
    shop_name: `${language} name`,
    offline_message: language === 'en' ? 'Away' : '',
  }))
  const shownTo = (header: string, among = locales) => textIn(inOrder(among, acceptedLanguages(header)), 'shop_name')

  for (const [header, language] of [
    ['de', 'de'],
    ['de-AT', 'de-at'],
    ['de-CH', 'de'],
    ['pt', 'pt-br'],
    ['ja, pt-PT;q=0.5', 'pt-br'],
    ['ja', 'en'],
    ['', 'en'],
  ] as const) {
    test(`is ${language} to ${header || 'a visitor without a preference'}`, () =>
      assert.deepEqual(shownTo(header), { text: `${language} name`, language }))
  }

  test('is in the first language if there is no English', () => {
    const others = locales.filter(({ language }) => language !== 'en')
    assert.equal(shownTo('ja', others)?.language, 'fr')
    assert.equal(shownTo('ja', []), undefined)
  })

  test('is English if the language has no such text', () =>
    assert.deepEqual(textIn(inOrder(locales, ['de']), 'offline_message'), { text: 'Away', language: 'en' }))
})

test('a link shows its host, unless it is the current one', () => {
  assert.equal(otherHost('https://example.com/about', 'shop.example.com'), 'example.com')
  assert.equal(otherHost('https://shop.example.com:8443/', 'shop.example.com'), undefined)
  for (const address of ['', 'javascript:alert(1)', 'https://'])
    assert.equal(otherHost(address, 'shop.example.com'), undefined)
})

test('a page has the writing direction of its language', () => {
  assert.deepEqual(['he', 'ar-eg', 'en', 'de-at'].map(directionOf), ['rtl', 'rtl', 'ltr', 'ltr'])
})

describe('the language, country and currency of a visit', () => {
  test('are those of the visitor where the shop has them', () => {
    assert.equal(chooseLanguage(['en', 'de'], ['de-at', 'en']), 'de')
    assert.equal(chooseLanguage(['fr', 'de'], ['ja']), 'fr')
    assert.equal(countryOf(['de', 'de-at', 'en-us']), 'AT')
    assert.equal(countryOf(['de', 'zh-hant', 'en-zz']), undefined)
    assert.equal(chooseCurrency(['CHF', 'EUR', 'USD'], '', 'CH', 'EUR'), 'CHF')
    assert.equal(chooseCurrency(['CHF', 'EUR', 'USD'], 'USD', 'CH', 'EUR'), 'USD')
    assert.equal(chooseCurrency(['EUR', 'USD'], 'JPY', 'JP', 'USD'), 'USD')
    assert.equal(chooseCurrency([], '', '', 'EUR'), 'EUR')
  })

  for (const [cookie, language, country, currency] of [
    ['de.AT.EUR', 'de', 'AT', 'EUR'],
    ['..', '', '', ''],
    [undefined, '', '', ''],
    ['<script>.XX.EURO', '', '', ''],
    [`${'a'.repeat(100)}.DE.EUR`, '', '', ''],
  ] as const) {
    test(`are read from the cookie ${cookie?.slice(0, 30)}`, () =>
      assert.deepEqual(readPreferences(cookie), { language, country, currency }))
  }
})

describe('a form returns', () => {
  for (const [base, asked, path] of [
    ['', '/products/7?x=1', '/products/7?x=1'],
    ['', '//evil.example/', '/'],
    ['', '/\\evil.example', '/'],
    ['', '/\t/evil.example', '/'],
    ['', 'https://evil.example/', '/'],
    ['', 'javascript:alert(1)', '/'],
    ['', '', '/'],
    ['/shop/1000', '/shop/1000/cart', '/shop/1000/cart'],
    ['/shop/1000', '/shop/1000', '/shop/1000'],
    ['/shop/1000', '/shop/1001/cart', '/shop/1000/'],
    ['/shop/1000', '/shop/1000/../../account', '/shop/1000/'],
    ['/shop/1000', '/account', '/shop/1000/'],
  ] as const) {
    test(`from ${base || '/'} to ${JSON.stringify(asked)}: ${path}`, () => assert.equal(returnPath(base, asked), path))
  }
})

describe('a form comes from a page of the shop', () => {
  for (const [site, origin, isOurs] of [
    ['same-origin', undefined, true],
    ['same-origin', 'https://other.example', true],
    ['same-site', 'https://shop.example', false],
    ['cross-site', undefined, false],
    ['none', undefined, false],
    [undefined, 'https://shop.example:8443', true],
    [undefined, 'http://shop.example:8443', true],
    [undefined, 'https://shop.example', false],
    [undefined, 'null', false],
    [undefined, 'ftp://shop.example:8443', false],
    [undefined, undefined, false],
  ] as const) {
    test(`with Sec-Fetch-Site ${site} and Origin ${origin}: ${isOurs}`, () =>
      assert.equal(isFromSamePage({ site, origin }, 'Shop.example:8443'), isOurs))
  }
})

test('search engines know a shop by its recommended domain', () => {
  const hosts = { sub_domain: '1000', vanity_domain: 'books' }
  assert.equal(shopOrigin({ hosts: { sub_domain: '1000' } }, 'http://127.0.0.1:3000'), 'http://1000.localhost:3000')
  assert.equal(shopOrigin({ hosts }, 'https://shops.example.com'), 'https://books.shops.example.com')
  assert.equal(
    shopOrigin({ hosts: { ...hosts, shop_domain: 'www.example.org' } }, 'https://shops.example.com'),
    'https://www.example.org',
  )
})
