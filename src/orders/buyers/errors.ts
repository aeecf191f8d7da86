import { type Problem, validationFailed } from '#platform/problem.ts'

export function passwordRequired(): Problem {
  return validationFailed({ 'customer.password': ['is required for a customer who is new to the shop'] })
}

export function tokenUnknown(): Problem {
  return validationFailed({ customer_token: ['is not the token of a customer of the shop'] })
}

export function customerDisabled(): Problem {
  return validationFailed({ customer: ['is disabled and can not order'] })
}
