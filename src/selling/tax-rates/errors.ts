import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Tax rates')

export const taxRateNotFound = defineProblem<string>('tax_rate_not_found', {
  code: 'not_found',
  message: (id) => `There is no tax rate ${id}.`,
  when: 'The tax rate does not exist, was deleted, or belongs to another company.',
  remedy: 'Read the list of tax rates for their ids.',
})

export const countryTaken = defineFault('tax_rate_country_taken', {
  message: 'has a tax rate already',
  when: 'The company has set a tax rate for this country and tax class already.',
  remedy: 'Change the tax rate that is there.',
})
