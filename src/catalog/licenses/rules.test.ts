import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allowsCountry, isPhysical } from './rules.ts'

/** Builds stored restrictions. */
function restricted(countries: string[], regions: number[] = [], norm?: number) {
  return {
    restriction_country: countries.map((country_code, id) => ({ id, country_code })),
    restriction_dvd_region: regions.map((dvd_region, id) => ({ id, dvd_region })),
    restriction_video_norm: norm === undefined ? null : { id: 1, norm },
  }
}

const [NTSC, PAL] = [0, 1]

describe('allowsCountry', () => {
  const CASES: [string, ReturnType<typeof restricted>, string[], string[]][] = [
    ['without restrictions, every country and none', restricted([]), ['DE', 'US', 'AQ', 'XX', ''], []],
    ['the countries that are named', restricted(['DE', 'AT']), ['DE', 'AT'], ['CH', 'US', 'de', 'XX', '']],
    ['the countries of a DVD region', restricted([], [1]), ['US', 'CA', 'PR'], ['MX', 'DE', 'AQ', 'XX', '']],
    ['the countries of several regions', restricted([], [2, 4]), ['DE', 'JP', 'AU', 'BR'], ['US', 'CN', '']],
    ['NTSC countries', restricted([], [], NTSC), ['US', 'JP', 'MX'], ['DE', 'BR', 'XX', '']],
    ['PAL countries', restricted([], [], PAL), ['DE', 'AU', 'BR', 'AQ'], ['US', 'JP', 'XX', '']],
    ['what all restrictions allow', restricted(['DE', 'US', 'JP'], [2], PAL), ['DE'], ['US', 'JP', 'FR']],
    ['nothing, where restrictions contradict each other', restricted(['US'], [2]), [], ['US', 'DE', 'JP']],
    // Greenland is in region 2 as Denmark is; a country without a region is in none.
    ['no country without a region', restricted([], [1, 2, 3, 4, 5, 6]), ['GL', 'DE', 'CN'], ['AQ', 'HM']],
  ]
  for (const [what, license, allowed, refused] of CASES) {
    test(`allows ${what}`, () => {
      for (const country of allowed) assert.equal(allowsCountry(license, country), true, country)
      for (const country of refused) assert.equal(allowsCountry(license, country), false, country)
    })
  }
})

test('isPhysical tells what has to be shipped', () => {
  assert.deepEqual([isPhysical({ physical: 1 }), isPhysical({ physical: 0 })], [true, false])
})
