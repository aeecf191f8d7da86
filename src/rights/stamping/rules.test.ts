import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Stamp, stampLine, stampText } from './rules.ts'

const STAMP: Stamp = { name: 'Jane Doe', email: 'jane@example.com', order: '#1000', date: '2031-06-01', language: 'en' }
const LINE = 'Licensed to Jane Doe · Order #1000 · 2031-06-01'

/** The letters of Western Europe, as in the fonts of every PDF reader. */
const isWestern = (letter: string) => /^[\x20-\x7e\xa0-\xff€–“”…]$/.test(letter)

describe('the words of a stamp', () => {
  const line = (changes: Partial<Stamp>, has = isWestern) =>
    stampLine({ ...STAMP, ...changes }, has).replace(/[\u2068\u2069]/g, '')
  const who = (name: string, has = isWestern) => line({ name }, has).split(' · ')[0]

  test('name buyer, order and day in the language of the buyer', () => {
    assert.equal(line({}), LINE)
    assert.equal(line({ language: 'de' }), 'Lizenziert für Jane Doe · Bestellung #1000 · 2031-06-01')
    assert.equal(line({ language: 'xx' }), LINE)
  })

  test('fall back readably where the font of a PDF lacks letters', () => {
    assert.equal(who('Jürgen Müßig'), 'Licensed to Jürgen Müßig')
    assert.equal(who('Ngô Bảo Châu'), 'Licensed to Ngô Bao Châu')
    assert.equal(who('𝓙𝓪𝓷𝓮'), 'Licensed to Jane')
    assert.equal(who('Jane 🎉 Doe 👩‍👩‍👧'), 'Licensed to Jane Doe')
    assert.equal(
      who('山田 🎉', (letter) => isWestern(letter) || '山田'.includes(letter)),
      'Licensed to 山田',
    )
    assert.equal(who('山田'), 'Licensed to jane@example.com')
    assert.equal(who('🎉'), 'Licensed to jane@example.com')
    assert.equal(line({ name: '山田', email: '山田@例え.jp' }), 'Order #1000 · 2031-06-01')
    assert.equal(who(`Jane\u0000\n\u202e Doe\ud800`), 'Licensed to Jane Doe')
    assert.ok((who('x'.repeat(4096))?.length ?? 0) < 100)
  })

  test('keep every script where the document is in Unicode, without turning the text around it', () => {
    const expected = 'Licensed to \u2068محمد\u2069 · Order #1000 · 2031-06-01'
    assert.equal(stampText({ ...STAMP, name: 'محمد' }), expected)
    // The name ends the part with a direction of its own, and turns the rest around.
    assert.equal(stampText({ ...STAMP, name: '\u2069\u202eمحمد\u202d' }), expected)
  })
})
