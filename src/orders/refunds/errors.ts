import { defineProblem } from '#platform/problem.ts'

export const nothingLeft = defineProblem<number>(
  'conflict',
  409,
  (id) => `Order #${id} is refunded already: there is nothing left of it.`,
)
