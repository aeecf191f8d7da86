import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FieldReport } from '#platform/errors/problem.ts'
import { chooseLocale, mergeLocales, readLanguage } from './rules.ts'

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

describe('a locale whose stored code is not valid', () => {
  const kept = [{ id: 1, language: 'en-12' }]
  const merge = (change: { id?: number; language?: string }) => {
    const report = new FieldReport()
    const options = { takeId: () => 2, report, languageField: 'language' }
    const locales = mergeLocales(kept, [change], (_before, _change, identity) => identity, options)
    return { languages: locales.map(({ language }) => language), reason: report.asProblem()?.reason }
  }

  test('can be sent back as it is, by its id or its code', () => {
    for (const change of [{ id: 1, language: 'en-12' }, { language: 'EN-12' }, { id: 1 }])
      assert.deepEqual(merge(change), { languages: ['en-12'], reason: undefined })
  })

  test('can get a valid one, but no other that is not', () => {
    assert.deepEqual(merge({ id: 1, language: 'en-GB' }), { languages: ['en-gb'], reason: undefined })
    assert.equal(merge({ id: 1, language: 'en-13' }).reason, 'language_invalid')
  })
})
