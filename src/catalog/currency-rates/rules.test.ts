import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { COUNTRY_CODES, countryDetails } from '#identity/addresses/countries.facts.ts'
import { CURRENCY_CODES, smallestCents } from './currencies.facts.ts'
import { convertCents, objectionTo, type Rates, readQuote } from './rules.ts'
import { SNAPSHOT } from './snapshot.facts.ts'

const RATES: Rates = new Map([
  ['USD', 1.1415],
  ['JPY', 185.31],
  ['GBP', 0.85538],
  ['IDR', 20565.38],
  ['HALF', 2],
])

describe('currencies', () => {
  test('are those that people pay with', () => {
    for (const code of ['EUR', 'USD', 'JPY', 'CHF', 'XAF', 'XCG', 'ZWG']) assert.ok(CURRENCY_CODES.has(code), code)
    for (const code of ['XAU', 'XXX', 'XTS', 'CHE', 'USN', 'BGN', 'DEM', 'eur', '', 'EURO'])
      assert.ok(!CURRENCY_CODES.has(code), code)
  })

  // The price of a country is in the country's currency, so that one has to be known.
  test('are known for every country that has one', () => {
    const unknown = [...COUNTRY_CODES].filter((code) => !CURRENCY_CODES.has(countryDetails(code).Currency))
    assert.deepEqual(unknown, ['AQ'])
  })

  test('of the snapshot are known, and its rates are plausible', () => {
    assert.equal(SNAPSHOT.rates.size, 29)
    for (const [code, rate] of SNAPSHOT.rates) {
      assert.ok(CURRENCY_CODES.has(code), code)
      assert.ok(rate > 0.1 && rate < 50_000, `${code} ${rate}`)
    }
  })
})

describe('convertCents', () => {
  const CASES: [number, string, string, number | undefined][] = [
    [1000, 'EUR', 'EUR', 1000],
    [1000, 'XAF', 'XAF', 1000],
    [1000, 'EUR', 'USD', 1142], // 1141.5
    [1000, 'USD', 'EUR', 876], // 876.04
    [999, 'EUR', 'GBP', 855], // 854.52
    [1, 'EUR', 'USD', 1],
    [0, 'EUR', 'USD', 0],
    [1, 'USD', 'IDR', 18_016], // 18016.10
    [1, 'IDR', 'EUR', 0],
    [1, 'HALF', 'EUR', 1], // 0.5
    [3, 'HALF', 'EUR', 2], // 1.5
    [1000, 'EUR', 'JPY', 185_300], // 1853.10 yen, and there are no parts of a yen
    [1003, 'EUR', 'JPY', 185_900], // 1858.66 yen
    [1499, 'USD', 'JPY', 243_300], // 2433.47 yen
    [1000, 'EUR', 'CHF', undefined],
    [1000, 'CHF', 'EUR', undefined],
    [9_999_999_999, 'EUR', 'IDR', 205_653_799_979_435], // 205653799979434.62
  ]
  for (const [cents, from, to, expected] of CASES) {
    test(`${cents} ${from} are ${expected} ${to}`, () => assert.equal(convertCents(cents, from, to, RATES), expected))
  }

  const cents = fc.integer({ min: 0, max: 9_999_999_999 })
  const currency = fc.constantFrom('EUR', ...SNAPSHOT.rates.keys())

  // 0.1 + 0.2 is not 0.3, and cents must be.
  test('is exact: never further from the fraction than half of what can be paid', () => {
    fc.assert(
      fc.property(cents, currency, currency, (amount, from, to) => {
        const converted = convertCents(amount, from, to, SNAPSHOT.rates)
        assert.ok(converted !== undefined && Number.isSafeInteger(converted) && converted >= 0)
        const [one, other] = [from, to].map((code) => BigInt(Math.round((SNAPSHOT.rates.get(code) ?? 1) * 1e6)))
        // |converted - amount * other / one| <= step / 2, without a division.
        const off = BigInt(converted) * one! - BigInt(amount) * other!
        const step = BigInt(from === to ? 1 : smallestCents(to))
        assert.ok(2n * (off < 0n ? -off : off) <= step * one!, `${amount} ${from} ${to} ${converted}`)
        if (from !== to) assert.equal(converted % smallestCents(to), 0)
      }),
    )
  })

  test('never makes more of less', () => {
    fc.assert(
      fc.property(cents, cents, currency, currency, (a, b, from, to) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map((amount) =>
          convertCents(amount, from, to, SNAPSHOT.rates),
        )
        assert.ok(less! <= more!)
      }),
    )
  })
})

const NOW = new Date('2026-11-15T12:00:00Z')
const day = (time: string, cubes: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
  <Cube>
    <Cube time='${time}'>
      ${cubes}
    </Cube>
  </Cube>
</gesmes:Envelope>
`
const USD = "<Cube currency='USD' rate='1.0837'/>"
const GOOD = day('2026-11-13', `${USD}\n<Cube currency="IDR" rate="17487.21" />`)

describe('readQuote', () => {
  test('reads the day and every rate, in either kind of quotes', () => {
    const expected = {
      kind: 'rates',
      quotedAt: new Date('2026-11-13T00:00:00Z'),
      rates: new Map([
        ['USD', 1.0837],
        ['IDR', 17487.21],
      ]),
    }
    for (const text of [GOOD, `\uFEFF${GOOD}`, GOOD.replace(/^<\?xml.*\n/, ''), GOOD.replaceAll('\n', '\r\n')])
      assert.deepEqual(readQuote(text, NOW), expected)
  })

  test('takes the euro for what it is', () => {
    const reading = readQuote(day('2026-11-13', `<Cube currency='EUR' rate='1'/>${USD}`), NOW)
    assert.deepEqual(reading.kind === 'rates' && [...reading.rates.keys()], ['USD'])
  })

  const BOMB = `<!DOCTYPE b [<!ENTITY a "1.08"><!ENTITY b "${'&a;'.repeat(10)}">]>`
  const REFUSED: [string, string, RegExp][] = [
    ['nothing', '', /not a file of reference rates/],
    ['a page', '<!doctype html><title>Sorry</title>', /not a file of reference rates/],
    ['JSON', '{"rates":{"USD":1.08}}', /not a file of reference rates/],
    ['half a file', GOOD.slice(0, GOOD.length / 2), /not a file of reference rates/],
    ['entities', GOOD.replace('?>', `?>${BOMB}`).replace('1.0837', '&b;'), /document type or an entity/],
    ['a document type', GOOD.replace('?>', '?><!DOCTYPE Cube SYSTEM "http://127.0.0.1/x">'), /document type/],
    ['a comment that hides a rate', GOOD.replace(USD, `<!-- ${USD} -->`), /document type or an entity/],
    ['an entity that is built in', GOOD.replace('Reference', '&amp;'), /document type or an entity/],
    ['no day', GOOD.replace(" time='2026-11-13'", ''), /which day/],
    ['no date', day('yesterday', USD), /which day/],
    ['a date that never was', day('2026-02-30', USD), /which day/],
    ['a time', day('2026-11-13T10:00:00', USD), /which day/],
    ['two days', day('2026-11-13', `${USD}</Cube><Cube time='2026-11-12'>`), /which day/],
    ['a day to come', day('2026-11-17', USD), /has not come/],
    ['the year 9999', day('9999-12-31', USD), /has not come/],
    ['no rates', day('2026-11-13', ''), /no rates/],
    ['a rate of 0', day('2026-11-13', "<Cube currency='USD' rate='0'/>"), /absurd rate: USD 0/],
    ['a rate of nearly 0', day('2026-11-13', "<Cube currency='USD' rate='0.00001'/>"), /absurd rate/],
    ['an endless rate', day('2026-11-13', "<Cube currency='USD' rate='99999999'/>"), /absurd rate/],
    ['another euro', day('2026-11-13', `<Cube currency='EUR' rate='1.1'/>${USD}`), /absurd rate: EUR/],
    ['a currency twice', day('2026-11-13', USD + USD), /currency twice/],
    ...['-1.08', '1,08', '1e3', 'NaN', 'Infinity', '', ' 1.08', '0x10', '1.123456789', '123456789'].map(
      (rate): [string, string, RegExp] => [
        `the rate "${rate}"`,
        day('2026-11-13', `${USD}<Cube currency='GBP' rate='${rate}'/>`),
        /cannot be read/,
      ],
    ),
    ...['usd', 'US', 'USDX', '', '<b>'].map((code): [string, string, RegExp] => [
      `the currency "${code}"`,
      day('2026-11-13', `${USD}<Cube currency='${code}' rate='1.08'/>`),
      /cannot be read/,
    ]),
    ['a rate without a currency', day('2026-11-13', `${USD}<Cube rate='1.08'/>`), /cannot be read/],
    ['more in an element than there should be', GOOD.replace("'1.0837'", "'1.0837' unit='100'"), /cannot be read/],
    ['an element that is left open', day('2026-11-13', `${USD}<Cube currency='GBP' rate='1.08'>`), /cannot be read/],
  ]
  for (const [what, text, reason] of REFUSED) {
    test(`refuses ${what}`, () => {
      const reading = readQuote(text, NOW)
      assert.ok(reading.kind === 'refused', JSON.stringify(reading))
      assert.match(reading.reason, reason)
      assert.match(reading.reason, /^The file .*\.$/)
    })
  }

  test('never throws, and takes no rate that is none', () => {
    const pieces = [
      '<Cube ',
      "time='2026-11-13'>",
      "currency='USD' ",
      "rate='1.2'/>",
      '</Cube>',
      '</Envelope>',
      '<',
      '>',
    ]
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...pieces)).map((all) => `<${all.join('')}</Envelope>`),
    )
    fc.assert(
      fc.property(text, (value) => {
        const reading = readQuote(value, NOW)
        if (reading.kind === 'rates') for (const rate of reading.rates.values()) assert.ok(rate > 0 && rate < 1e7)
      }),
      { numRuns: 500 },
    )
  })

  // If an expression backtracked without end, a source could stop the worker with a few kilobytes.
  test('reads the worst file of the largest size at once', () => {
    const worst = ['<Cube', ' ', "<Cube currency='", '</Envelope>', "<Cube time='", '\n<']
    for (const piece of worst) {
      const text = `<Envelope>${piece.repeat(65_536 / piece.length)}</Envelope>`
      const start = performance.now()
      readQuote(text, NOW)
      assert.ok(performance.now() - start < 2000, piece)
    }
  })
})

describe('objectionTo', () => {
  const quote = (day: string, usd: number) => ({
    quotedAt: new Date(`${day}T00:00:00Z`),
    rates: new Map([['USD', usd]]),
  })
  const CASES: [string, ReturnType<typeof quote>, ReturnType<typeof quote>, RegExp | undefined][] = [
    ['newer rates', quote('2026-11-13', 1.1), quote('2026-11-12', 1.2), undefined],
    ['the same day again', quote('2026-11-13', 1.1), quote('2026-11-13', 1.1), undefined],
    ['older rates', quote('2026-11-12', 1.1), quote('2026-11-13', 1.1), /is of 2026-11-12, and rates of 2026-11-13/],
    ['a decimal point too far right', quote('2026-11-13', 11.5), quote('2026-11-12', 1.1), /USD 11.5, after 1.1/],
    ['a decimal point too far left', quote('2026-11-13', 0.1), quote('2026-11-12', 1.1), /cannot be/],
    ['ten times as much after a year', quote('2026-11-13', 11.5), quote('2025-11-13', 1.1), undefined],
    ['half of it overnight', quote('2026-11-13', 0.55), quote('2026-11-12', 1.1), undefined],
  ]
  for (const [what, next, known, expected] of CASES) {
    test(`${expected === undefined ? 'lets through' : 'holds up'} ${what}`, () => {
      const objection = objectionTo(next, known)
      if (expected === undefined) assert.equal(objection, undefined)
      else assert.match(objection ?? '', expected)
    })
  }

  test('lets a currency through that is new', () => {
    assert.equal(objectionTo(quote('2026-11-13', 1), { quotedAt: new Date(0), rates: new Map() }), undefined)
  })
})
