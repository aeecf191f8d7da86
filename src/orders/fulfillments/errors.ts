import { defineProblem } from '#platform/problem.ts'

export const fulfillmentNotFound = defineProblem<string>('not_found', 404, (ref) => `There is no fulfillment ${ref}.`)

export const alreadyShipped = defineProblem<number>(
  'conflict',
  409,
  (id) => `Order #${id} is shipped: that can't be undone.`,
)
