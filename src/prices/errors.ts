import { problemsOf } from '#platform/problem.ts'

const { defineProblem, defineFault } = problemsOf('Prices')

export const priceNotFound = defineProblem<string>('price_not_found', {
  code: 'not_found',
  message: (id) => `There is no price ${id}.`,
  when: 'The price does not exist, or belongs to another company.',
  remedy: 'Read the list of prices for their ids.',
})

export const priceUnknown = defineFault('price_unknown', {
  message: 'is not a price of this shop',
  when: 'A field names a price that does not exist, or belongs to another company.',
  remedy: 'Send the id of one of the prices of the company.',
})

export const amountMissing = defineFault('price_without_amount', {
  message: 'must have a price, unless a country has one',
  when: 'A price has no amount in any currency or country.',
  remedy: 'Send at least one entry in `currencies` or `countries`.',
})

export const countryWithoutCurrency = defineFault('country_without_currency', {
  message: 'is a country without a currency',
  when: 'An amount is for a country that has no currency of its own.',
  remedy: 'Send the amount by currency.',
})
