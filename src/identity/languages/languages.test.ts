import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from 'countries-list'
import { languageCode, languageId } from './languages.facts.ts'

/** Codes that ISO 639-1 has withdrawn. */
const WITHDRAWN = ['bh', 'mo', 'sh']

test('the numbers that the interface gives are those of its languages', () => {
  const given = { en: 1, de: 2, pt: 6, es: 8, it: 10, fr: 12 }
  for (const [code, id] of Object.entries(given)) assert.deepEqual([languageId(code), languageCode(id)], [id, code])
})

// A number that two languages share, or that moves, would show texts in the wrong language.
test('every language has a number of its own, and every number up to the last is a language', () => {
  const codes = Array.from({ length: 183 }, (_, index) => languageCode(index + 1))
  assert.equal(new Set(codes).size, 183)
  for (const [index, code = ''] of codes.entries()) assert.equal(languageId(code), index + 1)
  const unknown = Object.keys(languages).filter((code) => code.length === 2 && languageId(code) === undefined)
  assert.deepEqual(unknown, WITHDRAWN)
})

test('the number of a language is kept for ever', () => {
  const kept = { nl: 3, pl: 4, ru: 5, sv: 7, da: 9, nb: 11, fi: 13, zh: 57, ja: 58, be: 68, aa: 69, ia: 103, zu: 183 }
  for (const [code, id] of Object.entries(kept)) assert.equal(languageId(code), id, code)
})

test('what is no language has no number', () => {
  assert.deepEqual(['', 'EN', 'english', 'xx', '__proto__'].map(languageId), Array(5).fill(undefined))
  assert.deepEqual([0, -1, 184, 1.5, Number.NaN].map(languageCode), Array(5).fill(undefined))
})
