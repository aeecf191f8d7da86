import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Payments')

export const paymentNotFound = defineProblem<string>('payment_not_found', {
  code: 'not_found',
  message: (ref) => `There is no payment ${ref}.`,
  when: 'The payment does not exist, or belongs to another company.',
  remedy: 'Read the list of payments for their ids.',
})

export const gatewayNotOffered = defineFault<string>('payment_gateway_not_offered', {
  message: (name) => `is ${name}, which the shop does not offer`,
  when: 'A payment is started with a gateway that the company has not turned on.',
  remedy: 'Choose one of the gateways that the shop offers, or turn this one on in the payment settings.',
})

export const gatewayRequired = defineFault('payment_gateway_required', {
  message: 'is required, because there is something to pay',
  when: 'An order of a shop costs something, and no way to pay was chosen.',
  remedy: 'Choose one of the gateways that the shop offers.',
})

export const gatewayUnavailable = defineProblem<string>('payment_gateway_unavailable', {
  code: 'unavailable',
  message: (name) => `${name} cannot be reached at the moment. Please try again.`,
  when: 'The payment gateway gave no answer, or failed.',
  remedy: 'Try again. The same payment is never charged twice.',
  headers: () => ({ 'retry-after': '30' }),
})

export const orderCancelled = defineProblem<number>('order_cancelled', {
  code: 'conflict',
  message: (id) => `Order #${id} is cancelled and cannot be paid.`,
  when: 'A cancelled order is marked as paid.',
  remedy: 'Create a new order.',
})

export const tooManyPayments = defineProblem<number>('too_many_payments', {
  code: 'conflict',
  message: (id) => `There were too many attempts to pay order #${id}.`,
  when: 'Customers can try to pay an order 20 times.',
  remedy: 'Create a new order.',
})

export const keyInvalid = defineFault<string>('payment_key_invalid', {
  message: (example) => `is not a key: it must begin like ${example}`,
  when: 'A secret that was copied from the gateway has another form than its keys.',
  remedy: "Copy the whole key from the gateway's dashboard.",
})

export const keyMissing = defineFault('payment_key_missing', {
  message: 'is required to turn the gateway on',
  when: 'A gateway is turned on that has no key yet.',
  remedy: "Send the secret key from the gateway's dashboard.",
})

export const keyRefused = defineFault<string>('payment_key_refused', {
  message: (reason) => `is refused by the gateway: ${reason}`,
  when: 'A gateway was asked whether it takes a key, and said no.',
  remedy: "Copy the key again from the gateway's dashboard, or give it the permissions that the sentence names.",
})

export const eventRefused = defineProblem('payment_event_refused', {
  code: 'malformed',
  message: 'The event has no valid signature, or is not one of the gateway.',
  when: 'A gateway event has no valid signature, is older than five minutes, or does not have the form of an event.',
  remedy: "Compare the signing secret of the webhook in the gateway's dashboard with the payment settings.",
})

export const tooMuchNews = defineProblem<number>('too_many_payment_events', {
  code: 'rate_limited',
  message: (seconds) =>
    `There were too many events about payments that do not exist: try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
  when: 'Too many events of a gateway that signs nothing named payments that it does not know, from one network address.',
  remedy: 'Wait for `Retry-After` seconds.',
})

export const paymentNotFlagged = defineProblem<number>('payment_not_flagged', {
  code: 'conflict',
  message: (id) => `Payment ${id} has no flags.`,
  when: 'A payment is resolved that nobody has to look at.',
  remedy: 'Nothing has to be done.',
})

export const creditOfTest = defineProblem('credit_of_test', {
  code: 'conflict',
  message: 'What was paid for a rental counts for another real order, and what a test paid counts for another test.',
  when: 'A customer pays for content that was rented, and only one of the two orders is a test.',
  remedy: 'Pay in the way in which the rental was paid, or buy it without the rental.',
})

export const sandboxTakesNoMoney = defineFault('sandbox_takes_no_money', {
  message: 'moves money, and a sandbox takes none',
  when: 'A gateway is turned on in a sandbox with a key that moves money.',
  remedy: 'Use test cards, bills, or a key of the test mode of the gateway.',
})
