import { problemsOf } from '#platform/errors/problem.ts'

const { defineFault } = problemsOf('Currencies')

export const currencyUnknown = defineFault('currency_unknown', {
  message: 'is not the code of a currency',
  when: 'A currency is not a code of ISO 4217.',
  remedy: 'Send a code such as `EUR`.',
})
