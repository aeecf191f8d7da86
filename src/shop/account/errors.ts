import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Customers')

export const supportUnavailable = defineProblem('no_shop_to_sign_in', {
  code: 'conflict',
  message: 'There is no shop that the customer could sign in to.',
  when: 'The company has no shop, or is disabled.',
  remedy: 'Open a shop first.',
})

export const supportedCustomerDisabled = defineFault('supported_customer_disabled', {
  message: 'is disabled and cannot sign in',
  when: 'A link is asked for, for a customer who is disabled.',
  remedy: 'Enable the customer first.',
})

export const exportBusy = defineProblem<number>('customer_export_busy', {
  code: 'rate_limited',
  message: (seconds) =>
    `The data of this customer was exported often, or is being exported: try again in ${seconds} seconds.`,
  when: 'The data of a customer is exported again and again, or by two people at once.',
  remedy: 'Wait as long as `Retry-After` says.',
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
})
