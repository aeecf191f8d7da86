import { type AddressContext, changeAddress } from '#identity/addresses/rules.ts'
import type { FieldReport } from '#platform/errors/problem.ts'
import type { UserAddressInput } from './schema.ts'
import type { UserAddressState } from './state.ts'

/** The address after a change: fields that the body does not name stay, and null removes the address. */
export function changeUserAddress(
  before: UserAddressState | null,
  input: UserAddressInput | null | undefined,
  context: AddressContext,
  report: FieldReport,
): UserAddressState | null {
  if (input === undefined) return before
  if (input === null) return null
  const { password_option = before?.password_option } = input
  const address = changeAddress(before ?? undefined, input, context, report, 'default_address.')
  return { ...address, password_option: password_option ?? '' }
}
