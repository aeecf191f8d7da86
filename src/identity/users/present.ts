import { presentAddress } from '#identity/addresses/present.ts'
import { wireTime } from '#platform/wire/times.ts'
import type { UserAddress } from './addresses/schema.ts'
import type { UserAddressState } from './addresses/state.ts'
import { hasAccepted, readPermissions } from './rules.ts'
import type { User } from './schema.ts'
import type { UserState } from './state.ts'

/** A user as the API shows it. */
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
    default_address: user.default_address === null ? null : presentUserAddress(user.default_address, user.token),
    permissions: readPermissions(user.permissions),
  }
}

function presentUserAddress(address: UserAddressState, token: string): UserAddress {
  return { ...presentAddress(address, token, true), password_option: address.password_option }
}
