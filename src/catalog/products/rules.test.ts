import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { textsFor } from './rules.ts'

describe('the texts of a product in a language', () => {
  const de = { language: 'de', title: 'Der lange Heimweg', version: '' }
  const en = { language: 'en', title: 'The Long Way Home', version: '2.0' }
  const fr = { language: 'fr', title: '', version: '' }

  for (const [asked, locales, title, version] of [
    ['de', [fr, en, de], 'Der lange Heimweg', '1.0'],
    ['DE', [fr, en, de], 'Der lange Heimweg', '1.0'],
    ['it', [fr, de, en], 'The Long Way Home', '2.0'],
    ['it', [de, fr], 'Der lange Heimweg', '1.0'],
    ['fr', [fr, en], 'Admin title', '1.0'],
    ['en', [], 'Admin title', '1.0'],
  ] as const) {
    const there = locales.map(({ language }) => language).join(', ') || 'none'
    test(`${asked} of ${there}: ${title}`, () =>
      assert.deepEqual(textsFor({ title: 'Admin title', version: '1.0', locales }, asked), { title, version }))
  }
})
