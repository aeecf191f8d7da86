import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#platform/errors/problem.ts'
import { chooseMethod, newShippingMethod, trackingUrl } from './rules.ts'
import type { ShippingMethodInput } from './schema.ts'

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
  const methods = [
    make({ title: 'Home', countries: ['DE', 'AT'] }),
    make({ title: 'Fast', countries: ['DE'] }),
    make({ title: 'World' }),
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
      assert.equal(chooseMethod(methods, title, country)?.title, expected)
    })

  test('is none where there are none', () => {
    assert.equal(chooseMethod([], undefined, 'DE'), undefined)
  })
})
