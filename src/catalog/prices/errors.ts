import { problemsOf } from '#platform/errors/problem.ts'

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

type PriceUses = { title: string; products: number; methods: number; plans: number }

const number = (count: number, word: string) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`])

export const priceInUse = defineProblem<PriceUses>('price_in_use', {
  code: 'conflict',
  message: ({ title, products, methods, plans }) =>
    `The price "${title}" is used by ${[...number(products, 'product'), ...number(methods, 'shipping method'), ...number(plans, 'plan')].join(' and ')}: choose another price there first.`,
  when: 'The request deletes a price that products, shipping methods or plans name.',
  remedy: 'Take the price out of the products, shipping methods and plans first, or change its amounts.',
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

export const priceOutdated = defineFault<string>('price_has_changed', {
  message: (title) => `is another version by now: somebody has changed "${title}"`,
  when: 'A change of many prices names a price that was changed after it was read.',
  remedy: 'Look at the preview again, and send the `etag` that it shows.',
})
