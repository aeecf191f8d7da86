import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Pictures')

export const pictureNotFound = defineProblem('picture_not_found', {
  code: 'not_found',
  message: 'There is no such picture.',
  when: 'The address of a picture is wrong, or the picture was replaced.',
  remedy: 'Read the product or category again: it has the present addresses.',
})
