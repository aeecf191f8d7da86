import { defineProblem, type Problem, validationFailed } from '#platform/problem.ts'

export const productNotFound = defineProblem<string>('not_found', 404, (ref) => `There is no product ${ref}.`)

export const productIsMirrored = defineProblem<string>(
  'forbidden',
  403,
  (title) => `"${title}" is mirrored from another shop and can't be changed here.`,
)

export const productNoLongerOffered = defineProblem<string>(
  'conflict',
  409,
  (title) => `"${title}" is no longer offered by its owner.`,
)

export function productIdTaken(): Problem {
  return validationFailed({ product_id: ['is taken'] })
}
