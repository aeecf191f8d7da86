import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CURRENCY_CODES, smallestCents } from '#catalog/currency-rates/currencies.facts.ts'
import { PHRASES, wordsFor } from './words.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('phrases', () => {
  const shapeOf = (value: unknown): unknown => {
    if (typeof value === 'function') return value.length
    if (typeof value === 'string') return 'text'
    return Object.fromEntries(Object.entries(value as object).map(([name, entry]) => [name, shapeOf(entry)]))
  }

  test('are there in all languages, with all that they have to say', () => {
    assert.deepEqual(Object.keys(PHRASES), ['en', 'de', 'pt', 'es', 'it', 'fr'])
    const check = (value: unknown, path: string): void => {
      if (typeof value === 'object')
        for (const [name, entry] of Object.entries(value as object)) check(entry, `${path}.${name}`)
      else if (typeof value === 'string') assert.ok(value.trim().length > 1, path)
      else {
        const given = ['Æ1', 'Æ2', 'Æ3'].slice(0, (value as () => string).length)
        const said = (value as (...texts: string[]) => string)(...given)
        if (path.endsWith('stock.text')) return
        for (const text of given) assert.ok(said.includes(text), `${path} does not say ${text}`)
      }
    }
    for (const [language, phrases] of Object.entries(PHRASES)) {
      check(phrases, language)
      assert.deepEqual(shapeOf(phrases), shapeOf(PHRASES.en), language)
    }
  })

  test('count none, one and many as the language does', () => {
    for (const [language, { stock }] of Object.entries(PHRASES)) {
      const [none, one, many] = [0, 1, 1200].map((count) =>
        stock.text('Æ', count, wordsFor(language, '').number(count)),
      )
      assert.equal(new Set([none, one, many]).size, 3, language)
      for (const said of [none, one, many]) assert.match(said ?? '', /Æ/)
      assert.doesNotMatch(`${none}${one}`, /\d/, language)
      assert.match(many ?? '', /1.?200/, language)
    }
    assert.equal(PHRASES.de?.stock.text('Buch', 1, '1'), 'Von Buch ist nur noch ein Stück da.')
    assert.equal(PHRASES.de?.stock.text('Buch', 2, '2'), 'Von Buch sind nur noch 2 Stück da.')
  })

  test('are English where there are none in the language, and no property of an object passes for a language', () => {
    for (const language of ['nl', 'zh', '', 'constructor', '__proto__', 'DE '])
      assert.equal(wordsFor(language, 'DE').language, 'en', language)
    assert.equal(wordsFor('DE', 'DE').language, 'de')
  })
})

describe('amounts', () => {
  test('are written as they are in the country of the reader, if the language is spoken there', () => {
    const money = (language: string, country: string, currency = 'EUR') =>
      plain(wordsFor(language, country).money(123456, currency))
    assert.equal(money('de', 'DE'), '1.234,56 €')
    assert.equal(money('de', 'AT'), '€ 1.234,56')
    assert.equal(money('de', 'US'), '1.234,56 €')
    assert.equal(money('en', 'US', 'USD'), '$1,234.56')
    assert.equal(money('en', '', 'USD'), 'US$1,234.56')
    assert.equal(money('pt', 'BR', 'BRL'), 'R$ 1.234,56')
    assert.equal(money('pt', 'DE'), '1234,56 €')
    assert.equal(money('es', 'MX', 'MXN'), '$1,234.56')
    assert.equal(money('fr', 'x"<', 'EUR'), '1 234,56 €')
  })

  test('are never rounded, in no currency', () => {
    const { money } = wordsFor('en', 'US')
    for (const currency of CURRENCY_CODES) {
      const cents = smallestCents(currency) === 100 ? 123_400 : 123_456
      const digits = money(cents, currency)
        .replace(/[^\d.]/g, '')
        .replace(/^\.+/, '')
      assert.equal(Number(digits) * 100, cents, money(cents, currency))
    }
    assert.equal(money(10_000, 'JPY'), '¥100')
    assert.equal(money(-10_050, 'JPY'), '-¥100.50')
    assert.equal(plain(money(1250, 'RSD')), 'RSD 12.50')
    assert.equal(plain(money(1230, 'KWD')), 'KWD 12.300')
    assert.equal(money(10_000_000_000_000, 'USD'), '$100,000,000,000.00')
  })

  test('of tax have a rate that says all of its digits', () => {
    const { percent } = wordsFor('de', 'DE')
    assert.deepEqual([19_000, 8100, 5500, 0].map(percent).map(plain), ['19 %', '8,1 %', '5,5 %', '0 %'])
  })
})

test('countries have names in every language, or the one that is known', () => {
  assert.equal(wordsFor('fr', 'FR').country('DE', 'Germany'), 'Allemagne')
  assert.equal(wordsFor('de', 'FR').country('AT', 'Austria'), 'Österreich')
  for (const code of ['', 'ZZZ', 'de', '<b>', 'QX'])
    assert.equal(wordsFor('en', 'DE').country(code, 'Nowhere'), 'Nowhere')
})

test('dates are written out, by the clock of the interface', () => {
  const late = new Date('2026-03-01T23:59:59Z')
  const said = Object.keys(PHRASES).map((language) => wordsFor(language, '').date(late))
  assert.deepEqual(said, [
    '1 March 2026',
    '1. März 2026',
    '1 de março de 2026',
    '1 de marzo de 2026',
    '1 marzo 2026',
    '1 mars 2026',
  ])
})
