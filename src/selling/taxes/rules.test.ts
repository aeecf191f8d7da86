import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import regions from 'sales-tax/res/region_countries.json' with { type: 'json' }
import { RATED_CLASSES, reducedRate, type TaxClass } from '#identity/addresses/tax-classes.facts.ts'
import { isInEu, standardRate } from '#identity/addresses/vat-rates.facts.ts'
import { type Taxed, taxRate } from './rules.ts'

const now = new Date('2026-11-01')

describe('the standard rate', () => {
  test('is that of the time of the sale', () => {
    const rates: [string, string, number][] = [
      ['DE', '2026-11-01', 19_000],
      ['DE', '2020-09-01', 16_000],
      ['DE', '2020-06-01', 19_000],
      ['EE', '2025-06-01', 22_000],
      ['EE', '2025-08-01', 24_000],
      ['FI', '2026-11-01', 25_500],
      ['CH', '2026-11-01', 8_100],
      ['LI', '2026-11-01', 8_100],
      ['KW', '2026-11-01', 0],
      ['QA', '2026-11-01', 0],
      ['BH', '2026-11-01', 10_000],
      ['LK', '2026-11-01', 18_000],
      ['EC', '2026-11-01', 15_000],
      ['PK', '2026-11-01', 18_000],
      ['TH', '2026-11-01', 7_000],
      ['US', '2026-11-01', 0],
      ['AQ', '2026-11-01', 0],
      ['', '2026-11-01', 0],
    ]
    for (const [country, day, rate] of rates)
      assert.equal(standardRate(country, new Date(day)), rate, `${country} ${day}`)
  })

  test('knows who is in the European Union', () => {
    assert.deepEqual(['DE', 'HR', 'GR', 'GB', 'CH', 'NO', 'US', ''].map(isInEu), [
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('the reduced rates', () => {
  test('are those of the time of the sale, by class', () => {
    const rates: [string, string, reduced: number | undefined, ebook: number | undefined][] = [
      ['DE', '2026-11-01', 7_000, 7_000],
      ['AT', '2026-11-01', 10_000, 10_000],
      ['FR', '2026-11-01', 5_500, 5_500],
      ['IE', '2026-11-01', 13_500, 0],
      ['IE', '2023-12-31', 13_500, 9_000],
      ['CZ', '2026-11-01', 12_000, 0],
      ['FI', '2024-12-31', 10_000, 10_000],
      ['FI', '2025-06-01', 14_000, 14_000],
      ['FI', '2026-11-01', 13_500, 13_500],
      ['LT', '2026-11-01', 5_000, 5_000],
      ['RO', '2025-07-31', 5_000, 5_000],
      ['RO', '2026-11-01', 11_000, 11_000],
      ['HU', '2026-11-01', 5_000, undefined],
      ['DK', '2026-11-01', undefined, undefined],
      ['LI', '2026-11-01', 2_600, 2_600],
      ['US', '2026-11-01', undefined, undefined],
      ['', '2026-11-01', undefined, undefined],
    ]
    for (const [country, day, reduced, ebook] of rates) {
      const found = (['reduced', 'e-book'] as const).map((each) => reducedRate(each, country, new Date(day)))
      assert.deepEqual(found, [reduced, ebook], `${country} ${day}`)
    }
  })

  test('are known for every country of the Union, and never above the standard rate', () => {
    for (const country of regions.EU) {
      const standard = standardRate(country, now)
      const reduced = reducedRate('reduced', country, now)
      assert.ok(country === 'DK' ? reduced === undefined : reduced !== undefined, country)
      for (const each of ['reduced', 'e-book'] as const)
        assert.ok((reducedRate(each, country, now) ?? 0) < standard, `${country} ${each}`)
    }
  })
})

describe('the class of a product', () => {
  const own = { 'DE reduced': 5_000, 'CH standard': 8_100, 'NO reduced': 12_000 }
  const cases: [TaxClass, Taxed, seller: string, customer: string, percent: number, why: string][] = [
    ['e-book', 'digital', 'DE', 'DE', 7, 'its rate at home'],
    ['e-book', 'digital', 'DE', 'AT', 10, 'its rate where the customer is'],
    ['e-book', 'digital', 'DE', 'DK', 25, 'the standard rate, where the class has none'],
    ['e-book', 'digital', 'DE', 'US', 0, 'none on an export'],
    ['reduced', 'other', 'AT', 'FR', 10, 'its rate where it is sold'],
    ['reduced', 'other', 'DE', 'DE', 5, 'the rate that the company has set for the class'],
    ['standard', 'other', 'DE', 'DE', 19, 'not the rate that it has set for another class'],
    ['e-book', 'digital', 'DE', 'CH', 2.6, 'the reduced rate of a country where it is registered'],
    ['reduced', 'other', 'DE', 'NO', 12, 'registered there by a rate for the class'],
    ['standard', 'other', 'DE', 'NO', 0, 'a rate for another class does not charge it'],
    ['zero', 'digital', 'DE', 'DE', 0, 'never taxed'],
    ['zero', 'other', 'DE', 'CH', 0, 'never taxed'],
  ]
  for (const [taxClass, taxed, seller, customer, percent, why] of cases) {
    test(`${taxClass} from ${seller} to ${customer}, ${taxed}: ${percent} %, ${why}`, () => {
      assert.equal(taxRate(taxed, { seller, customer, taxClass, own, now }), percent * 1000)
    })
  }

  test('follows a standard rate of the company only where the class has none', () => {
    for (const taxClass of RATED_CLASSES) {
      const trade = { seller: 'DK', customer: 'DK', taxClass, own: { 'DK standard': 1_000, 'DE standard': 1_000 }, now }
      assert.equal(taxRate('digital', trade), 1_000)
      const german = taxClass === 'standard' ? 1_000 : 7_000
      assert.equal(taxRate('digital', { ...trade, seller: 'DE', customer: 'DE' }), german)
    }
  })
})

describe('the tax on a sale', () => {
  const cases: [Taxed, seller: string, customer: string, percent: number, why: string][] = [
    ['digital', 'DE', 'DE', 19, 'at home'],
    ['digital', 'DE', 'FR', 20, 'that of the customer inside the Union'],
    ['digital', 'DE', 'HU', 27, 'that of the customer inside the Union'],
    ['other', 'DE', 'FR', 19, 'that of the seller inside the Union'],
    ['digital', 'DE', 'US', 0, 'none outside'],
    ['other', 'DE', 'US', 0, 'none outside'],
    ['digital', 'DE', 'CH', 0, 'none outside, whatever they have there'],
    ['digital', 'US', 'DE', 19, 'that of the customer, wherever the seller is'],
    ['other', 'US', 'DE', 0, 'it leaves the country of the seller'],
    ['digital', 'CH', 'CH', 8.1, 'at home outside the Union'],
    ['other', 'CH', 'CH', 8.1, 'at home outside the Union'],
    ['other', 'CH', 'DE', 0, 'it leaves the country of the seller'],
    ['digital', 'DE', '', 19, 'nobody knows where the customer is'],
    ['digital', 'US', 'US', 0, 'there is none'],
  ]
  for (const [taxed, seller, customer, percent, why] of cases) {
    test(`from ${seller} to ${customer || 'nowhere'}, ${taxed}: ${percent} %, ${why}`, () => {
      assert.equal(taxRate(taxed, { seller, customer, taxClass: 'standard', own: {}, now }), percent * 1000)
    })
  }
})

describe('the tax on a sale of a company with its own rates', () => {
  const own = { 'DE standard': 7_000, 'FR standard': 5_500, 'CH standard': 2_600, 'AQ standard': 0 }
  const cases: [Taxed, seller: string, customer: string, percent: number, why: string][] = [
    ['digital', 'DE', 'FR', 5.5, 'its own rate for the country of the customer'],
    ['digital', 'DE', 'HU', 27, 'the built-in rate, where it has set none'],
    ['other', 'DE', 'FR', 7, 'its own rate at home, although it has one for the country of the customer'],
    ['other', 'AT', 'FR', 20, 'the rate at home, although it has one for the country of the customer'],
    ['digital', 'DE', '', 7, 'its own rate at home'],
    ['digital', 'DE', 'CH', 2.6, 'it is registered outside the Union'],
    ['other', 'DE', 'CH', 2.6, 'it is registered outside the Union'],
    ['other', 'CH', 'CH', 2.6, 'its own rate at home'],
    ['other', 'CH', 'DE', 7, 'it is registered where it exports to'],
    ['digital', 'DE', 'US', 0, 'it is not registered there'],
    ['digital', 'DE', 'AQ', 0, 'it is registered and the rate is zero'],
  ]
  for (const [taxed, seller, customer, percent, why] of cases) {
    test(`from ${seller} to ${customer || 'nowhere'}, ${taxed}: ${percent} %, ${why}`, () => {
      assert.equal(taxRate(taxed, { seller, customer, taxClass: 'standard', own, now }), percent * 1000)
    })
  }
})
