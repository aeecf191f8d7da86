import { defineProblem } from '#platform/problem.ts'

export const priceNotFound = defineProblem<string>('not_found', 404, (id) => `There is no price ${id}.`)
