import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Categories')

export const categoryNotFound = defineProblem<string>('category_not_found', {
  code: 'not_found',
  message: (id) => `There is no category ${id}.`,
  when: 'The category does not exist, was deleted, or belongs to another company.',
  remedy: 'Read the list of categories for their ids.',
})
