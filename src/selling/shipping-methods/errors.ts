import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Shipping methods')

export const shippingMethodNotFound = defineProblem<string>('shipping_method_not_found', {
  code: 'not_found',
  message: (id) => `There is no shipping method ${id}.`,
  when: 'The shipping method does not exist, was deleted, or belongs to another company.',
  remedy: 'Read the list of shipping methods for their ids.',
})

/** Every sale of goods reads all of them. */
export const tooManyMethods = defineProblem<number>('too_many_shipping_methods', {
  code: 'conflict',
  message: (maximum) => `A company can have ${maximum} shipping methods: delete one that is not used any more.`,
  when: 'The company has as many shipping methods as it can have.',
  remedy: 'Delete shipping methods that are not used, or put several countries into one.',
})

export const titleTaken = defineFault('shipping_method_title_taken', {
  message: 'is the name of another shipping method of the company',
  when: 'The company has a shipping method with this name already, in upper or lower case.',
  remedy: 'Choose another name.',
})

export const weightTaken = defineFault('shipping_weight_taken', {
  message: 'is the weight of another line',
  when: 'Two rates of a shipping method are for the same weight.',
  remedy: 'Give each weight one price.',
})

export const trackingUrlInvalid = defineFault<string>('tracking_url_invalid', {
  message: (place) => `must be an http(s) address with ${place} in it`,
  when: 'The address at which parcels are followed has no place for the number of the parcel.',
  remedy: 'Write `{tracking_number}` where the number belongs.',
})

export const partnerIsOwnCompany = defineFault('shipping_partner_is_own_company', {
  message: 'must be another company',
  when: 'A company names itself as its shipping partner.',
  remedy: 'Leave the partner out: the company ships itself then.',
})

export const partnerUnknown = defineFault('shipping_partner_unknown', {
  message: 'is not a company',
  when: 'The shipping partner does not exist.',
  remedy: 'Send the id of a company.',
})
