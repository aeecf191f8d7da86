import { defineProblem } from '#platform/problem.ts'

export const licenseNotFound = defineProblem<string>('not_found', 404, (id) => `There is no license ${id}.`)

export const licenseIsGeneral = defineProblem<string>(
  'forbidden',
  403,
  (name) => `"${name}" is a license of all shops and can't be changed by one.`,
)
