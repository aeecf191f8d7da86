import { type Problem, validationFailed } from '#platform/problem.ts'

export function codeTaken(): Problem {
  return validationFailed({ code: ['is a discount code of the company already'] })
}
