import { defineProblem } from '#platform/problem.ts'

export const companyNotFound = defineProblem<string>('not_found', 404, (id) => `There is no company ${id}.`)

export const partnersOnly = defineProblem(
  'forbidden',
  403,
  () => 'Only a partner can search companies, and this company is the partner of none.',
)
