import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Customers: addresses')

export const addressNotFound = defineProblem<string>('address_not_found', {
  code: 'not_found',
  message: (id) => `There is no address ${id}.`,
  when: 'The customer has no address with this id.',
  remedy: 'Read the customer again for the ids of the addresses.',
})
