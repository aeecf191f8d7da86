import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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
      assert.equal(taxRate(taxed, { seller, customer, own: {}, now }), percent * 1000)
    })
  }
})

describe('the tax on a sale of a company with its own rates', () => {
  const own = { DE: 7_000, FR: 5_500, CH: 2_600, AQ: 0 }
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
      assert.equal(taxRate(taxed, { seller, customer, own, now }), percent * 1000)
    })
  }
})
