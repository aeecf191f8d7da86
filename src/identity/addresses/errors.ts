import { problemsOf } from '#platform/errors/problem.ts'

const { defineFault } = problemsOf('Addresses')

export const countryUnknown = defineFault<string>('country_unknown', {
  message: (sentence) => sentence,
  when: 'A country is neither a code of ISO 3166 nor the English name of a country.',
  remedy: 'Send a code such as `DE`.',
})
