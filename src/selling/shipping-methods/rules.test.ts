import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#platform/errors/problem.ts'
import { chooseMethod, newShippingMethod, trackingUrl } from './rules.ts'
import type { ShippingMethodInput } from './schema.ts'
import type { PricedMethod } from './state.ts'

const COMPANY = 1000
const NOW = new Date('2026-01-02T03:04:05Z')
const make = (input: Partial<ShippingMethodInput>) =>
  newShippingMethod(COMPANY, 7, { title: 'Standard', ...input }, NOW)

describe('a shipping method', () => {
  test('is made of little', () => {
    assert.deepEqual(make({ title: ' Standard ' }), {
      company_id: COMPANY,
      id: 7,
      title: 'Standard',
      price_id: null,
      weight_rates: [],
      free_from: null,
      countries: [],
      tracking_company: '',
      tracking_url: '',
      partner_id: null,
      position: 0,
      delivery_days_min: null,
      delivery_days_max: null,
      valid: true,
      created_at: NOW,
      updated_at: NOW,
    })
  })

  test('is made of all that there is', () => {
    const made = make({
      price_id: 3,
      countries: ['de', ' Austria ', 'GERMANY'],
      tracking_company: ' DHL ',
      tracking_url: ' https://t.example.com/{tracking_number} ',
      shipping_partner_id: 1001,
    })
    assert.deepEqual(made, {
      ...make({}),
      price_id: 3,
      countries: ['DE', 'AT'],
      tracking_company: 'DHL',
      tracking_url: 'https://t.example.com/{tracking_number}',
      partner_id: 1001,
    })
  })

  const WRONG: [string[], Partial<ShippingMethodInput>][] = [
    [['title'], { title: '  ' }],
    [['title'], { title: 'a\0b' }],
    [['tracking_company'], { tracking_company: '\ud800' }],
    [['countries[1]'], { countries: ['DE', 'XX'] }],
    [['countries[0]'], { countries: [''] }],
    [['tracking_url'], { tracking_url: 'https://t.example.com/' }],
    [['tracking_url'], { tracking_url: 't.example.com/{tracking_number}' }],
    [['tracking_url'], { tracking_url: '{tracking_number}' }],
    [['tracking_url'], { tracking_url: 'ftp://t.example.com/{tracking_number}' }],
    [['tracking_url'], { tracking_url: 'javascript:alert("{tracking_number}")' }],
    [['shipping_partner_id'], { shipping_partner_id: COMPANY }],
    [['weight_rates[1].weight_max'], { weight_rates: [{ weight_max: 500 }, { weight_max: 500, price_id: 3 }] }],
    [['weight_rates[1].weight_max'], { weight_rates: [{}, { weight_max: null }] }],
    [['countries[0]', 'shipping_partner_id', 'title'], { title: '', countries: ['?'], shipping_partner_id: COMPANY }],
  ]
  for (const [paths, input] of WRONG)
    test(`is refused because of ${paths.join(' and ')}: ${JSON.stringify(input)}`, () => {
      assert.throws(
        () => make(input),
        (error) => {
          assert.ok(error instanceof Problem)
          assert.deepEqual(Object.keys(error.fields ?? {}).sort(), paths)
          return true
        },
      )
    })
})

describe('where a parcel is followed', () => {
  const CASES: [string, string, string][] = [
    ['', '1', ''],
    ['https://t.example.com/{tracking_number}', '', ''],
    ['https://t.example.com/{tracking_number}', '  ', ''],
    ['https://t.example.com/{tracking_number}', ' 42 ', 'https://t.example.com/42'],
    ['https://t.example.com/{tracking_number}', '1, 2/3?&#', 'https://t.example.com/1%2C%202%2F3%3F%26%23'],
    ['https://t.example.com/{tracking_number}', '$&$1', 'https://t.example.com/%24%26%241'],
    ['https://t.example.com/{tracking_number}?n={tracking_number}', 'é', 'https://t.example.com/%C3%A9?n=%C3%A9'],
  ]
  for (const [template, number, expected] of CASES)
    test(`${JSON.stringify(number)} in ${JSON.stringify(template)}`, () => {
      assert.equal(trackingUrl(template, number), expected)
    })
})

describe('the way that is chosen', () => {
  const priced = (input: Partial<ShippingMethodInput>, prices: number[] = []): PricedMethod => ({
    ...make(input),
    price: null,
    rate_prices: prices.map((id) => ({ id, valid: 1, countries: [], currencies: [{ currency: 'eur', cents: id }] })),
  })
  const methods = [
    priced({ title: 'Home', countries: ['DE', 'AT'] }),
    priced({ title: 'Fast', countries: ['DE'] }),
    priced({ title: 'World' }),
  ]
  const CASES: [string | undefined, string, string | undefined][] = [
    [undefined, 'DE', 'Home'],
    [undefined, 'AT', 'Home'],
    [undefined, 'US', 'World'],
    [undefined, '', 'World'],
    ['Fast', 'DE', 'Fast'],
    [' fAST ', 'DE', 'Fast'],
    ['Fast', 'AT', undefined],
    ['World', 'DE', 'World'],
    ['None', 'DE', undefined],
    ['', 'DE', undefined],
  ]
  for (const [title, country, expected] of CASES)
    test(`${title ?? 'any'} to ${country || 'an unknown country'} is ${expected ?? 'none'}`, () => {
      assert.equal(chooseMethod(methods, title, { country, grams: 0 })?.title, expected)
    })

  test('is none where there are none', () => {
    assert.equal(chooseMethod([], undefined, { country: 'DE', grams: 0 }), undefined)
  })

  const byWeight = [
    priced({ title: 'Letter', weight_rates: [{ weight_max: 500, price_id: 2 }, { weight_max: 50 }] }, [2]),
    priced({ title: 'Parcel', weight_rates: [{ price_id: 9 }, { weight_max: 2000, price_id: 5 }] }, [9, 5]),
  ]
  const WEIGHTS: [number, string, number | undefined][] = [
    [0, 'Letter', undefined],
    [50, 'Letter', undefined],
    [51, 'Letter', 2],
    [500, 'Letter', 2],
    [501, 'Parcel', 5],
    [2000, 'Parcel', 5],
    [2001, 'Parcel', 9],
  ]
  for (const [grams, title, cents] of WEIGHTS)
    test(`of ${grams} grams is ${title} for ${cents ?? 'nothing'}`, () => {
      const method = chooseMethod(byWeight, undefined, { country: 'DE', grams })
      assert.deepEqual([method?.title, method?.price?.currencies[0]?.cents], [title, cents])
    })

  test('is none for a parcel that is heavier than all rates', () => {
    assert.equal(chooseMethod(byWeight.slice(0, 1), undefined, { country: 'DE', grams: 501 }), undefined)
  })
})
