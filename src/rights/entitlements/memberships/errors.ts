import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Memberships')

export const notIncluded = defineProblem<string>('content_not_included', {
  code: 'forbidden',
  message: (title) => `No membership of the customer includes ${title} at the moment.`,
  when: 'The customer is in no group that the product names, the time of one of them has not begun or is over, or the group is closed.',
  remedy: "Read the customer's memberships to see what they include, and from when.",
})

export const nothingToOpen = defineProblem<string>('nothing_to_open', {
  code: 'validation_failed',
  message: (title) => `${title} has nothing that a member could open.`,
  when: 'The product is no content, or it belongs to another company, whose share would be missing.',
  remedy: 'Name content of the own company in the group.',
})
