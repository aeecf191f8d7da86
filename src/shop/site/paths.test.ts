import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idIn, productPath, slug } from './paths.rules.ts'

test('addresses have the letters of a title without their accents', () => {
  for (const [title, words] of [
    ['Märketid', 'marketid'],
    ['Straße nach Łódź', 'strasse-nach-lodz'],
    ['Smørrebrød på Ærø', 'smorrebrod-pa-aero'],
    ['L’Œuvre complète', 'l-oeuvre-complete'],
    ['Þórður og Guðrún', 'thordur-og-gudrun'],
    ['Đorđe, Diyarbakır, Ħamrun', 'dorde-diyarbakir-hamrun'],
  ] as const)
    assert.equal(slug(title), words)
})

test('addresses of titles in other scripts have the id alone, and the id alone decides', () => {
  for (const title of ['Последний паром', '最後のフェリー', 'המעבורת'])
    assert.equal(productPath(12, title), '/products/12')
  for (const ref of ['12', '12-sm-rrebr-d', '12-smorrebrod']) assert.equal(idIn(ref), 12)
})
