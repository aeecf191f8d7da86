import { defineProblem } from '#platform/problem.ts'

export const addressNotFound = defineProblem<string>('not_found', 404, (id) => `There is no address ${id}.`)
