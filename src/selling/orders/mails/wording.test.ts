import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CURRENCY_CODES, smallestCents } from '#catalog/currency-rates/currencies.facts.ts'
import { LANGUAGES } from '#platform/text/messages.ts'
import { wordingFor } from './wording.rules.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('messages about a stock', () => {
  const said = (language: string, count: number) => {
    const { t, number } = wordingFor(language, '')
    return t('mails.stock.text', { product: 'Æ', count, number: number(count) })
  }

  test('count none, one and many as the language does', () => {
    for (const language of LANGUAGES) {
      const [none = '', one = '', many = ''] = [0, 1, 1200].map((count) => said(language, count))
      assert.equal(new Set([none, one, many]).size, 3, language)
      for (const text of [none, one, many]) assert.match(text, /Æ/)
      assert.doesNotMatch(`${none}${one}`, /\d/, language)
      assert.match(many, /1.?200/, language)
    }
    assert.equal(said('de', 1), 'Von Æ ist nur noch ein Stück da.')
    assert.equal(said('de', 2), 'Von Æ sind nur noch 2 Stück da.')
  })
})

test('the wording is English where there is none in the language, and no property of an object passes for a language', () => {
  for (const language of ['nl', 'zh', '', 'constructor', '__proto__', 'DE '])
    assert.equal(wordingFor(language, 'DE').language, 'en', language)
  assert.equal(wordingFor('DE', 'DE').language, 'de')
})

describe('amounts', () => {
  test('are written as they are in the country of the reader, if the language is spoken there', () => {
    const money = (language: string, country: string, currency = 'EUR') =>
      plain(wordingFor(language, country).money(123456, currency))
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
    const { money } = wordingFor('en', 'US')
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
    const { percent } = wordingFor('de', 'DE')
    assert.deepEqual([19_000, 8100, 5500, 0].map(percent).map(plain), ['19 %', '8,1 %', '5,5 %', '0 %'])
  })
})

test('countries have names in every language, or the one that is known', () => {
  assert.equal(wordingFor('fr', 'FR').country('DE', 'Germany'), 'Allemagne')
  assert.equal(wordingFor('de', 'FR').country('AT', 'Austria'), 'Österreich')
  for (const code of ['', 'ZZZ', 'de', '<b>', 'QX'])
    assert.equal(wordingFor('en', 'DE').country(code, 'Nowhere'), 'Nowhere')
})

test('dates are written out, by the clock of the interface', () => {
  const late = new Date('2026-03-01T23:59:59Z')
  const said = ['en', 'de', 'pt', 'es', 'it', 'fr'].map((language) => wordingFor(language, '').date(late))
  assert.deepEqual(said, [
    '1 March 2026',
    '1. März 2026',
    '1 de março de 2026',
    '1 de marzo de 2026',
    '1 marzo 2026',
    '1 mars 2026',
  ])
})
