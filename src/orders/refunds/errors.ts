import { problemsOf } from '#platform/problem.ts'

const { defineProblem, defineFault } = problemsOf('Refunds')

export const nothingLeft = defineProblem<number>('order_already_refunded', {
  code: 'conflict',
  message: (id) => `Order #${id} is refunded already: there is nothing left of it.`,
  when: 'All of the order has been refunded.',
  remedy: 'Read the order: its refunds say what was given back when.',
})

export const refundTooLarge = defineFault<number>('refund_too_large', {
  message: (left) => `is more than what is left of the order, which is ${left}`,
  when: 'The amount is more than what was paid and not yet refunded.',
  remedy: 'Refund at most the amount that `errors` names, in cents.',
})

export const amountNotPayable = defineFault<string>('refund_amount_not_payable', {
  message: (currency) => `is not what can be paid in ${currency}`,
  when: 'The amount has a fraction that the currency does not know, such as cents of a yen.',
  remedy: 'Round the amount to whole units.',
})

export const refundEmpty = defineFault<string>('refund_empty', {
  message: (sentence) => sentence,
  when: 'A refund has neither line items nor an amount above 0.',
  remedy: 'Send one of them, or leave both out to refund all that is left.',
})

export const lineUnknown = defineFault('line_item_unknown', {
  message: 'is not a line item of the order',
  when: 'A refund names a line item that the order does not have.',
  remedy: 'Read the order for the ids of its line items.',
})

export const lineRefunded = defineFault('line_item_already_refunded', {
  message: 'is refunded already',
  when: 'Nothing is left of the line item.',
  remedy: 'Leave the line item out.',
})

export const quantityTooLarge = defineFault<number>('refund_quantity_too_large', {
  message: (left) => `is more than the ${left} that are left`,
  when: 'A refund gives back more of a line item than is left of it.',
  remedy: 'Send at most the quantity that `errors` names.',
})
