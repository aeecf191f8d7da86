import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countries } from 'countries-list'
import { COUNTRY_CODES, countryCode, countryDetails, findCountry } from '#identity/addresses/countries.facts.ts'

/** Entries of the package that are no countries: islands with a reserved code. */
const RESERVED = ['AC', 'TA']
const EU = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

test('every country of ISO 3166-1 and Kosovo are there, with each of their details', () => {
  const expected = Object.keys(countries).filter((code) => !RESERVED.includes(code))
  assert.equal(expected.length, 250)
  assert.deepEqual([...COUNTRY_CODES].sort(), expected.sort())
  const uninhabited = ['AQ', 'BV', 'HM']
  for (const code of COUNTRY_CODES) {
    const details = countryDetails(code)
    assert.equal(details.Country_id, code)
    assert.ok(details.Country.length > 2, code)
    assert.ok(details.Num >= 4 && details.Num <= (code === 'XK' ? 983 : 894) && details.ID === details.Num, code)
    assert.ok([0, 1].includes(details.VideoFormat), code)
    assert.ok(details.DVDRegion >= 0 && details.DVDRegion <= 6, code)
    assert.ok(details.TimeOffset >= -720 && details.TimeOffset <= 840 && details.TimeOffset % 15 === 0, code)
    if (code !== 'AQ') assert.match(details.Currency, /^[A-Z]{3}$/, code)
    if (!uninhabited.includes(code)) assert.match(details.Culture, new RegExp(`^[a-z]{2,3}-${code}$`), code)
  }
  assert.equal(new Set([...COUNTRY_CODES].map((code) => countryDetails(code).Num)).size, 250)
})

test('only members of the European Union have a standard rate of VAT, and all of them do', () => {
  const members = [...COUNTRY_CODES].filter((code) => countryDetails(code).Eu === 1)
  assert.deepEqual(members.sort(), EU)
  // No member may go below 15 percent (Directive 2006/112/EC, article 97), and none is above Hungary.
  for (const code of EU) assert.ok(countryDetails(code).VAT >= 15 && countryDetails(code).VAT <= 27, code)
  const rates = { AT: 20, DE: 19, EE: 24, FI: 25.5, HU: 27, LU: 17, RO: 21, SK: 23, GB: 20, US: 0 }
  for (const [code, rate] of Object.entries(rates)) assert.equal(countryDetails(code).VAT, rate, code)
})

test('all members but six use the euro', () => {
  const others = EU.filter((code) => countryDetails(code).Euro === 0)
  assert.deepEqual(others, ['CZ', 'DK', 'HU', 'PL', 'RO', 'SE'])
  assert.deepEqual([countryDetails('MC').Euro, countryDetails('CH').Euro, countryDetails('US').Euro], [1, 0, 0])
})

test('details differ between countries', () => {
  const pick = (code: string) => {
    const { Num, VideoFormat, DVDRegion, Currency, TimeOffset, Culture } = countryDetails(code)
    return [Num, VideoFormat, DVDRegion, Currency, TimeOffset, Culture]
  }
  assert.deepEqual(pick('US'), [840, 0, 1, 'USD', -300, 'en-US'])
  assert.deepEqual(pick('JP'), [392, 0, 2, 'JPY', 540, 'ja-JP'])
  assert.deepEqual(pick('IN')[4], 330)
  assert.deepEqual(pick('CN').slice(0, 4), [156, 1, 6, 'CNY'])
  assert.deepEqual(pick('BR').slice(0, 5), [76, 1, 4, 'BRL', -180])
})

test('an unknown code is shown as it is', () => {
  assert.ok(!COUNTRY_CODES.has('XX'))
  const { Country, Country_id, Num, Eu } = countryDetails('XX')
  assert.deepEqual([Country, Country_id, Num, Eu], ['XX', 'XX', 0, 0])
})

test('every country is found by its code and by its name, in any case', () => {
  for (const code of COUNTRY_CODES) {
    const country = { code, name: countryDetails(code).Country }
    for (const text of [code, code.toLowerCase(), country.name, country.name.toUpperCase(), ` ${code} `])
      assert.deepEqual(findCountry(text), country, text)
  }
  for (const text of ['', 'XX', 'Atlantis', 'DEUX']) assert.equal(findCountry(text), undefined, text)
})

test('a country is found by three letters, by other English names and by its names in its own languages', () => {
  const spellings = {
    DE: ['DEU', 'deu', 'Deutschland'],
    CH: ['CHE', 'Schweiz', 'Suisse', 'Svizzera'],
    US: ['USA', 'United States of America', 'U.S.'],
    GB: ['GBR', 'UK', 'Great Britain'],
    CZ: ['Czechia', 'Czech Republic', 'Česko', 'cesko'],
    JP: ['日本'],
    GR: ['Ελλάδα'],
    XK: ['XK', 'XKX', 'Kosovo', 'Kosovë', 'Косово'],
  }
  for (const [code, texts] of Object.entries(spellings))
    for (const text of texts) assert.equal(countryCode(text), code, text)
})
