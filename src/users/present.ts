import { wireTime } from '#platform/wire.ts'
import type { Address } from './addresses/schema.ts'
import type { AddressState } from './addresses/state.ts'
import { hasAccepted, readPermissions } from './rules.ts'
import type { User } from './schema.ts'
import type { UserState } from './state.ts'

/** A user as the interface shows it. */
export function presentUser(user: UserState): User {
  return {
    id: user.id,
    company_id: user.company_id,
    email: user.email,
    first_name: user.first_name,
    last_name: user.last_name,
    language: user.language,
    note: user.note,
    state: user.state,
    time_zone: user.time_zone,
    token: user.token,
    created_at: wireTime(user.created_at),
    updated_at: wireTime(user.updated_at),
    valid: hasAccepted(user),
    verified_email: user.verified_email,
    default_address: user.default_address === null ? null : presentAddress(user.default_address, user.token),
    permissions: readPermissions(user.permissions),
  }
}

function presentAddress(address: AddressState, token: string): Address {
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
    default: true,
    password_option: address.password_option,
  }
}
