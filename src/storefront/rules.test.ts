import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acceptedLanguages } from '#locales/rules.ts'
import { directionOf, inOrder, otherHost, textIn } from './rules.ts'

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
