import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordsIn } from './tokenize.ts'

describe('the words of a text', () => {
  test('are found in ten scripts, without the punctuation around them', () => {
    for (const [text, words] of [
      ['The “Patient” Lighthouse – of Bergen', ['the', 'patient', 'lighthouse', 'of', 'bergen']],
      ['L’été à Besançon, naïve Straße', ['l', 'été', 'à', 'besançon', 'naïve', 'straße']],
      ['«ИВАН» и Маша…', ['иван', 'и', 'маша']],
      ['Ο Σίσυφος, ΣΊΣΥΦΟΣ;', ['ο', 'σίσυφοσ', 'σίσυφοσ']],
      ['हिन्दी भाषा।', ['हिन्दी', 'भाषा']],
      ['ภาษาไทย “หนัง”', ['ภาษาไทย', 'หนัง']],
      ['東京タワー、日本語。', ['東京タワー', '日本語']],
      ['한국어, 영화!', ['한국어', '영화']],
      ['العَرَبِيَّة، فيلم؟', ['العَرَبِيَّة', 'فيلم']],
      ['עִבְרִית: סרט', ['עִבְרִית', 'סרט']],
      ['می‌خواهم ببینم', ['می‌خواهم', 'ببینم']],
      ['ქართული — ფილმი', ['ქართული', 'ფილმი']],
    ] as const)
      assert.deepEqual(wordsIn(text), words, text)
  })

  test('are the parts of compounds, addresses and numbers', () => {
    assert.deepEqual(wordsIn('E-book and/or node.js v1.2 don’t me@shop.example'), [
      'e',
      'book',
      'and',
      'or',
      'node',
      'js',
      'v1',
      '2',
      'don',
      't',
      'me',
      'shop',
      'example',
    ])
    assert.deepEqual(wordsIn('Café'), wordsIn('Cafe\u0301'))
    assert.deepEqual(wordsIn('İstanbul'), wordsIn('i̇stanbul'))
    assert.deepEqual(wordsIn('Love 💚'), ['love', '💚'])
  })

  test('are not tags and entities of HTML', () => {
    assert.deepEqual(wordsIn('<p class="lead">Bold&nbsp;<b>new</b>&#39;s &amp; <!-- old --> 3 < 4 > 2 <3</p>'), [
      'bold',
      'new',
      's',
      '3',
      '4',
      '2',
      '3',
    ])
  })

  test('are bounded in number and length, however hostile the text is', () => {
    assert.deepEqual(wordsIn(' ,.;—'), [])
    assert.deepEqual(wordsIn(`${'x'.repeat(501)} short`), ['short'])
    assert.equal(wordsIn('a '.repeat(1_000_000)).length, 50_000)
    assert.equal(wordsIn('<a'.repeat(1_000_000)).length, 50_000)
    assert.equal(wordsIn('&a'.repeat(1_000_000)).length, 50_000)
  })
})
