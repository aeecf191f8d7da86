import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Reviews')

export const reviewNotFound = defineProblem<string>('review_not_found', {
  code: 'not_found',
  message: (id) => `There is no review ${id}.`,
  when: 'The review does not exist, was deleted, or belongs to another company.',
  remedy: 'Read the list of reviews for their ids.',
})
