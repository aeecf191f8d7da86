import { problemsOf } from '#platform/problem.ts'

const { defineFault } = problemsOf('Shipping methods')

export const titleTaken = defineFault('shipping_method_title_taken', {
  message: 'is the name of another way of shipping of the company',
  when: '`licet import` adds a shipping method under a name that is taken.',
  remedy: 'Choose another name.',
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
