import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Orders')

export const orderNotFound = defineProblem<string>('order_not_found', {
  code: 'not_found',
  message: (ref) => `There is no order ${ref}.`,
  when: 'The order does not exist, or belongs to another company.',
  remedy: 'Read the list of orders for their ids.',
})

export const sellingIsOff = defineProblem('orders_not_accepted', {
  code: 'forbidden',
  message: 'The company does not take orders through the interface.',
  when: 'The company has turned off orders through the API (`api_active`), is disabled, or will be deleted.',
  remedy: 'Ask the shop owner to set `api_active` of the company, or to contact the operator.',
})

export const orderIsShipped = defineProblem<number>('order_shipped', {
  code: 'conflict',
  message: (id) => `Order #${id} is shipped: its shipping address can't be changed any more.`,
  when: 'The request changes the shipping address of an order that has been shipped.',
  remedy: 'Tell the carrier about the new address.',
})

export const orderAwaitsPayment = defineProblem<number>('order_awaits_payment', {
  code: 'conflict',
  message: (id) => `Order #${id} is not paid yet: it is confirmed when it is.`,
  when: 'The request confirms an order whose customer has not paid yet.',
  remedy: 'Wait for the payment, or mark the order as paid if the money came another way.',
})

export const orderNotConfirmed = defineProblem<number>('order_not_confirmed', {
  code: 'conflict',
  message: (id) => `Order #${id} is not confirmed, or is cancelled: there is no confirmation to send.`,
  when: 'The request sends the confirmation of an order again that is not confirmed, or is cancelled.',
  remedy: 'Confirm the order, or mark it as paid.',
})

export const noRate = defineFault('currency_not_convertible', {
  message: 'is one that the prices cannot be converted to',
  when: 'There is no rate between the currency of the order and that of a price, discount or shipping method.',
  remedy: 'Order in another currency, or give the product a price in this one.',
})

export const addressRequired = defineFault('shipping_address_required', {
  message: 'is required, because there are goods to ship',
  when: 'An order has goods, and neither the order nor the customer has an address that they could be shipped to.',
  remedy: 'Send a `shipping_address`, or an address of the customer.',
})

export const shopUnknown = defineFault('shop_unknown', {
  message: 'is not a theme setting of the company',
  when: 'An order names a shop that does not exist, or belongs to another company.',
  remedy: 'Send the id of one of the theme settings of the company, or leave the field out.',
})

export const countryNotAllowed = defineFault('country_not_allowed', {
  message: "may not be sold to the customer's country",
  when: 'The license is not for the country of the customer.',
  remedy: 'Offer another license, or tell the customer that this one is not sold in the country.',
})

export const codeUnknown = defineFault('discount_code_unknown', {
  message: 'is not a discount code of the shop',
  when: 'The company has no such discount code.',
  remedy: 'Ask the customer to check the code, or order without it.',
})

export const shippingMethodUnknown = defineFault('shipping_method_unknown', {
  message: 'is not a shipping method of the shop that leads there',
  when: 'The shipping method does not exist, does not serve the country of the address, or does not take so heavy a parcel.',
  remedy: 'Leave `shipping_lines` out to get the method that fits, or name another one.',
})

export const destinationNotServed = defineFault('shipping_country_not_served', {
  message: 'is where the shop does not ship',
  when: 'No shipping method of the company serves the country of the address.',
  remedy: 'Ask the customer for an address in another country.',
})

export const parcelTooHeavy = defineFault('parcel_too_heavy', {
  message: 'weigh more than the shop ships there',
  when: 'The shipping methods that serve the country have rates by weight, and the goods are heavier than all of them.',
  remedy: 'Order less at once, or add a rate for heavier parcels to a shipping method.',
})

export const vatIdInvalid = defineFault('vat_id_invalid', {
  message: 'is not a VAT id of the European Union',
  when: 'The VAT id has the wrong form, or its check digits are wrong.',
  remedy: 'Ask the customer to check the id, or order without it.',
})

export const totalTooLarge = defineFault('order_total_too_large', {
  message: 'come to more than an order can',
  when: 'The line items come to more than an order can hold.',
  remedy: 'Check the quantities.',
})

export const noteNotFound = defineProblem<string>('order_note_not_found', {
  code: 'not_found',
  message: (ref) => `The order has no note ${ref}.`,
  when: 'The note does not exist, was deleted, or belongs to another order.',
  remedy: 'Read the notes of the order for their ids.',
})

export const tooManyNotes = defineProblem<number>('too_many_order_notes', {
  code: 'validation_failed',
  message: (maximum) => `The order has ${maximum} notes, which is the maximum.`,
  when: 'An order has as many notes as an order can have.',
  remedy: 'Delete notes that nobody needs any more.',
})

export const giftOfOthers = defineFault('gift_of_others', {
  message: 'belongs to another company, which gets its share of every sale, so it cannot be given away',
  when: 'An order that costs nothing names a mirrored product, or a collection that includes one.',
  remedy: 'Sell it, or give away a product of your own.',
})

export const freeAndOnAccount = defineFault('free_and_on_account', {
  message: 'cannot be sent with `on_account`: what costs nothing needs no bill',
  when: 'An order is free of charge and a bill at once.',
  remedy: 'Send one of the two.',
})
