import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { allows, allowsInBinding, isPhysical, isProductType, mayBeIncluded, needsLicense, textsFor } from './rules.ts'
import { isContent, MEDIA, PRODUCT_TYPES, productTypeOf, typesOf, typesWith } from './types.facts.ts'

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

describe('the types of products', () => {
  const all = MEDIA.flatMap(typesOf)

  test('each have one medium', () => {
    assert.equal(new Set(all).size, all.length)
    assert.deepEqual(
      Array.from({ length: 40 }, (_, type) => type).filter(isProductType),
      all.toSorted((one, other) => one - other),
    )
  })

  test('say which is sold under a license, which ships and which a collection can include', () => {
    assert.deepEqual(all.filter(needsLicense), [1, 9, 22, 5, 23, 24, 16, 4, 27, 7, 29, 30])
    assert.deepEqual(all.filter(isPhysical), [6])
    assert.deepEqual(
      all.filter((type) => !mayBeIncluded(type)),
      [6, 8, 21, 17],
    )
  })

  test('make an app a program, which can be tried', () => {
    assert.deepEqual(
      all.filter((type) => allows(type, 'allow_download_trial')),
      [4, 18, 27],
    )
  })

  test('let everything but goods and services be sold to several users', () => {
    assert.deepEqual(
      all.filter((type) => !allowsInBinding(type, 'num_users')),
      [6, 17],
    )
  })
})

describe('what is known of a type', () => {
  test('is the same for what it is and for what can be done with it', () => {
    for (const [type, { medium, use, ships, hasFiles, needsLicense: licensed }] of Object.entries(PRODUCT_TYPES)) {
      assert.equal(use === undefined, medium === 'goods' || medium === 'service', type)
      assert.equal(isContent(Number(type)), use !== undefined, type)
      if (ships || licensed !== true) assert.ok(!ships || !hasFiles, type)
      if (licensed) assert.ok(hasFiles, type)
    }
    assert.deepEqual(
      typesWith(({ use }) => use === 'watch'),
      typesOf('film'),
    )
    assert.deepEqual(
      typesWith(({ use }) => use === 'read'),
      typesOf('book'),
    )
  })

  test('counts an unknown type as something that can be opened', () => {
    const { medium, use } = productTypeOf(999)
    assert.deepEqual([medium, use, isContent(999), needsLicense(999)], ['other', 'open', true, false])
  })

  test('is asked of the table: no other file compares a type with a number', async () => {
    const files = globSync(['src/**/*.ts', 'admin/src/**/*.{ts,tsx}']).filter((path) => !/\.(test|gen)\.ts$/.test(path))
    assert.ok(files.length > 800)
    const compared = /product_?type\w*\s*[!=]==?\s*\d|\d\s*[!=]==?\s*product_?type/i
    for (const path of files) assert.doesNotMatch(await readFile(path, 'utf8'), compared, path)
  })
})
