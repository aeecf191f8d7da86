import { defineProblem } from '#platform/problem.ts'

export const entryNotFound = defineProblem<string>(
  'not_found',
  404,
  (ref) => `There is no entry ${ref} in the marketplace.`,
)

export const ownEntry = defineProblem(
  'validation_failed',
  422,
  () => 'This is the entry of your own company: its products are in your shop already.',
)

export const nothingOffered = defineProblem('not_found', 404, () => 'The company has no entry in the marketplace.')

export const alreadyOffered = defineProblem(
  'conflict',
  409,
  () => 'The company has an entry in the marketplace already.',
)
