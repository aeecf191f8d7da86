import { defineProblem } from '#platform/problem.ts'

export const categoryNotFound = defineProblem<string>('not_found', 404, (id) => `There is no category ${id}.`)
