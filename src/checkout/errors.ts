import { problemsOf } from '#platform/problem.ts'

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

export const orderPageNotFound = defineProblem('order_page_not_found', {
  code: 'not_found',
  message: 'The address is not quite right, or what was here is gone.',
  when: 'A browser asks for the page of an order with a wrong secret, or in another shop.',
  remedy: 'Open the link that was sent with the order.',
})
