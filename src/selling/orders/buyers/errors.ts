import { problemsOf } from '#platform/errors/problem.ts'

const { defineFault } = problemsOf('Orders: the customer')

export const customerRequired = defineFault('customer_required', {
  message: 'is required: a token, or an email address',
  when: 'An order does not say who buys.',
  remedy: 'Send `customer_token`, or the email address of the customer.',
})

export const passwordRequired = defineFault('customer_password_required', {
  message: 'is required for a new customer',
  when: 'The email address of an order has no account yet.',
  remedy: 'Send a password with the order: the service creates the account with it.',
})

export const tokenUnknown = defineFault('customer_token_unknown', {
  message: 'is not the token of a customer of the shop',
  when: 'The token of an order is not that of a customer of the company.',
  remedy: 'Find the customer by email address, and send the token that the answer has.',
})

export const customerDisabled = defineFault('customer_disabled', {
  message: 'is disabled and cannot order',
  when: 'The account of the customer is disabled.',
  remedy: 'Ask the customer to contact the shop owner.',
})
