import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Pictures')

export const pictureNotFound = defineProblem('picture_not_found', {
  code: 'not_found',
  message: 'There is no such picture.',
  when: 'The address of a picture is wrong, or the picture was replaced.',
  remedy: 'Read the product or category again: it has the present addresses.',
})

export const pictureRefused = defineProblem<string>('picture_refused', {
  code: 'validation_failed',
  message: (reason) => reason,
  when: 'An uploaded picture is not in a supported format, is damaged, or is too large to decode.',
  remedy: 'Send a JPEG, PNG, GIF, WebP or AVIF of at most 40 million pixels.',
})
