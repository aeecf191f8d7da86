import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chooseLocale, readLanguage } from './rules.ts'

describe('the locale that is shown', () => {
  for (const [languages, asked, shown] of [
    [['en', 'de'], 'de', 'de'],
    [['en', 'de'], 'DE', 'de'],
    [['de', 'en', 'fr'], 'it', 'en'],
    [['de', 'fr'], 'it', 'de'],
    [['fr'], 'en', 'fr'],
    [['pt-br', 'en'], 'pt', 'en'],
    [[], 'en', undefined],
  ] as const) {
    test(`of ${languages.join(', ') || 'none'} for a reader of ${asked}: ${shown}`, () => {
      const locales = languages.map((language) => ({ language }))
      assert.equal(chooseLocale(locales, asked)?.language, shown)
    })
  }
})

describe('the code of a language', () => {
  for (const [given, code] of [
    ['en', 'en'],
    ['PT-br', 'pt-br'],
    ['1', 'en'],
    ['2', 'de'],
    ['6', 'pt'],
    ['8', 'es'],
    ['10', 'it'],
    ['12', 'fr'],
    ['3', 'nl'],
    ['0', undefined],
    ['999999999', undefined],
  ] as const) {
    test(`${given}: ${code}`, () => assert.equal(readLanguage(given), code))
  }
})
