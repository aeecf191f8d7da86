import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Refunds')

export const nothingLeft = defineProblem<number>('order_already_refunded', {
  code: 'conflict',
  message: (id) => `Order #${id} is refunded already: there is nothing left of it.`,
  when: 'All of the order has been refunded.',
  remedy: 'Read the order: its refunds say what was given back when.',
})

export const orderNotPaid = defineProblem<number>('order_not_paid', {
  code: 'conflict',
  message: (id) => `Order #${id} is not paid yet: there is nothing to refund.`,
  when: 'The order waits for its payment.',
  remedy: 'Cancel the order instead, or refund it once it is paid.',
})

export const noRefundFailed = defineProblem<number>('no_refund_failed', {
  code: 'conflict',
  message: (id) => `No refund of order #${id} has failed: there is nothing to try again.`,
  when: 'Refunds are tried again, and the money of all of them was returned, or is being returned.',
  remedy: 'Read the order: `status` of the transactions says how its refunds went.',
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
  remedy: 'Send one of them, or `all: true` to refund everything that is left.',
})

export const refundUnclear = defineFault('refund_unclear', {
  message: 'must be true to refund everything, or send line items or an amount',
  when: 'A refund says neither what is given back nor how much. Nothing is guessed where money is concerned.',
  remedy: 'Send `refund_line_items`, `amount`, or `all: true`.',
})

export const allIsAll = defineFault('refund_all_and_part', {
  message: 'cannot be combined with line items or an amount',
  when: 'A refund asks for everything and for a part at the same time.',
  remedy: 'Send `all: true` alone, or leave it out.',
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
