import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Theme settings')

export const themeSettingNotFound = defineProblem<string>('theme_setting_not_found', {
  code: 'not_found',
  message: (id) => `There is no theme setting ${id}.`,
  when: 'The theme setting does not exist, was deleted, or belongs to another company.',
  remedy: 'Read the list of theme settings for the ids of the shops.',
})

/** The message does not reveal which company has the host. */
export const hostTaken = defineFault('domain_taken', {
  message: 'is taken',
  when: 'Another shop on the platform has this vanity domain, or another shop of the company this domain.',
  remedy: 'Ask the shop owner to choose another domain.',
})

export const hostReserved = defineFault('domain_reserved', {
  message: 'is reserved',
  when: 'The vanity domain is a word that people take for the service itself, such as `admin`.',
  remedy: 'Ask the shop owner to choose another name.',
})

export const hostOfService = defineFault('domain_of_service', {
  message: 'belongs to the service itself',
  when: 'The domain is the address of the service, or lies below it.',
  remedy: 'Use `vanity_domain` for a name below the service, and a domain of the shop owner otherwise.',
})

export const hostInvalid = defineFault<string>('domain_invalid', {
  message: (sentence) => sentence,
  when: 'A domain is not a host name, or has more than a host name in it.',
  remedy: 'Send the host name alone, without `https://`, port and path.',
})

export const hostsEqual = defineFault('domains_equal', {
  message: 'is the other domain of this shop',
  when: '`shop_domain` and `access_domain` are the same.',
  remedy: 'Send two different domains, or leave one of them empty.',
})

export const themeUnknown = defineFault<string>('theme_unknown', {
  message: (sentence) => sentence,
  when: 'There is no theme with this id.',
  remedy: 'Send the id of a theme, or leave the field out.',
})

export const sampleProductUnknown = defineFault('sample_product_unknown', {
  message: 'is not a product of this shop',
  when: 'The sample product does not exist, was deleted, or belongs to another company.',
  remedy: 'Choose one of the products of the company.',
})

export const sampleLicenseUnknown = defineFault<{ hasProduct: boolean }>('sample_license_unknown', {
  message: ({ hasProduct }) =>
    hasProduct ? 'is not a license of the sample product' : 'is not a license of this shop',
  when: 'The sample product is not sold under this license, or the license does not exist.',
  remedy: 'Choose a license from the `price_license_binding` of the sample product.',
})

export const frameOriginInvalid = defineFault('frame_origin_invalid', {
  message: 'must be the origin of a site, such as https://www.example.com',
  when: 'An entry of `frame_origins` is no origin, has a path or a wildcard, or is not https.',
  remedy: 'Send scheme and host alone, and the port if it is not the usual one.',
})
