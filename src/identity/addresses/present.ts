import type { Address } from './schema.ts'
import type { AddressState } from './state.ts'

/** An address as the API shows it, with the token of its owner. */
export function presentAddress(address: AddressState, token: string, isDefault: boolean): Address {
  return {
    id: address.id,
    first_name: address.first_name,
    last_name: address.last_name,
    name: `${address.first_name} ${address.last_name}`.trim(),
    company: address.company,
    address1: address.address1,
    address2: address.address2,
    city: address.city,
    zip: address.zip,
    province: address.province,
    province_code: address.province_code,
    country: address.country,
    country_name: address.country,
    country_code: address.country_code,
    phone: address.phone,
    language: address.language,
    token,
    default: isDefault,
  }
}
