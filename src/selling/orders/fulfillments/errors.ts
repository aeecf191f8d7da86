import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Fulfillments')

export const fulfillmentNotFound = defineProblem<string>('fulfillment_not_found', {
  code: 'not_found',
  message: (ref) => `There is no fulfillment ${ref}.`,
  when: 'The fulfillment does not exist, or belongs to companies that this one does not ship for.',
  remedy: 'Read the list of fulfillments for their ids.',
})

export const alreadyShipped = defineProblem<number>('fulfillment_already_shipped', {
  code: 'conflict',
  message: (id) => `Order #${id} is shipped: that can't be undone.`,
  when: 'The request changes the status of a fulfillment that has been shipped.',
  remedy: 'Change the tracking number only.',
})
