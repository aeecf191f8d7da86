import { defineProblem, type Problem, validationFailed } from '#platform/problem.ts'

export const orderNotFound = defineProblem<string>('not_found', 404, (ref) => `There is no order ${ref}.`)

export const sellingIsOff = defineProblem(
  'forbidden',
  403,
  () => 'The company does not take orders through the interface.',
)

export const orderIsCancelled = defineProblem<number>('conflict', 409, (id) => `Order #${id} was cancelled.`)

export const orderIsShipped = defineProblem<number>(
  'conflict',
  409,
  (id) => `Order #${id} is shipped: its shipping address can't be changed any more.`,
)

export function noRate(): Problem {
  return validationFailed({ currency: ['is one that the prices can not be converted to'] })
}
