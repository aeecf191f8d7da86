import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Checkout')

export const priceChanged = defineProblem('price_changed', {
  code: 'conflict',
  message: 'The price has changed since the page was opened: check the order again.',
  when: 'Something in the cart has another price than the customer has seen.',
  remedy: 'Open the page again and confirm the new total.',
})

export const cartEmpty = defineProblem('cart_empty', {
  code: 'conflict',
  message: 'The cart is empty, or the order was placed already.',
  when: 'The order of the cart was placed by another request.',
  remedy: 'Open the page of the order.',
})

export const detailsMissing = defineProblem('details_missing', {
  code: 'conflict',
  message: 'Something that the order needs was not entered: go back one step.',
  when: 'A customer pays before all details are entered, such as the address for goods.',
  remedy: 'Enter the details, then pay.',
})

export const consentMissing = defineProblem('consent_missing', {
  code: 'conflict',
  message: 'Content that ends before the time to withdraw is over can only be sold to start at once.',
  when: 'A customer in the EU does not agree that digital content starts at once, and it would end before it could be used.',
  remedy: 'Agree that the content starts at once.',
})

export const tooManyOrders = defineProblem('too_many_orders', {
  code: 'conflict',
  message: 'Too many orders were placed from here, or for this email address: try again later.',
  when: 'Guests have placed many orders from one network, or with one email address.',
  remedy: 'Sign in, or wait.',
})

export const tooMuchUnpaid = defineProblem('too_much_unpaid', {
  code: 'conflict',
  message: 'Orders that are not paid yet have too many pieces, or there are too many of them.',
  when: 'A customer orders more in a shop than may wait for its payment at once: 10 orders with 2,000 pieces, or 200 pieces for somebody who has not signed in. An order that costs nothing has the same limit of pieces.',
  remedy: 'Pay for earlier orders, sign in, or order fewer pieces.',
})

export const orderPageNotFound = defineProblem('order_page_not_found', {
  code: 'not_found',
  message: 'The address is not quite right, or what was here is gone.',
  when: 'A browser asks for the page of an order with a wrong secret, or in another shop.',
  remedy: 'Open the link that was sent with the order.',
})
