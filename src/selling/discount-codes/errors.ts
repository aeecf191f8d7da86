import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Discount codes')

export const discountCodeNotFound = defineProblem<string>('discount_code_not_found', {
  code: 'not_found',
  message: (id) => `There is no discount code ${id}.`,
  when: 'The discount code does not exist, was deleted, or belongs to another company.',
  remedy: 'Read the list of discount codes for their ids.',
})

export const codeTaken = defineFault('discount_code_taken', {
  message: 'is a discount code of the company already',
  when: 'The company has a discount code with this spelling already, in upper or lower case.',
  remedy: 'Choose another code.',
})

export const codeNotYetValid = defineFault('discount_code_not_yet_valid', {
  message: 'is not good yet',
  when: 'An order uses a discount code before its first day.',
  remedy: 'Tell the customer from when the code is good, or order without it.',
})

export const codeExpired = defineFault('discount_code_expired', {
  message: 'is no longer good',
  when: 'An order uses a discount code after its last day.',
  remedy: 'Order without the code, or with another one.',
})

export const codeUsedUp = defineFault('discount_code_used_up', {
  message: 'has been used up',
  when: 'The discount code was used as often as it may be.',
  remedy: 'Order without the code, or with another one.',
})
