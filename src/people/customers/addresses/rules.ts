import { type AddressContext, changeNamedAddress, isGiven } from '#identity/addresses/rules.ts'
import { entryRepeated, tooManyEntries } from '#platform/errors/faults.ts'
import type { FieldReport } from '#platform/errors/problem.ts'
import { ADDRESSES_MAX, type CustomerAddressInput, type ListedAddressInput } from './schema.ts'
import type { CustomerAddressState } from './state.ts'

function changeOne(
  before: CustomerAddressState | undefined,
  input: CustomerAddressInput,
  context: AddressContext,
  report: FieldReport,
  path: string,
): CustomerAddressState {
  return { ...changeNamedAddress(before, input, context, report, path), default: before?.default ?? false }
}

/** Makes exactly one address the default: the requested one, else the previous one, else the oldest. */
function withDefault(addresses: CustomerAddressState[], wantedId?: number): CustomerAddressState[] {
  const inOrder = addresses.toSorted((one, other) => one.id - other.id)
  const chosen =
    inOrder.find(({ id }) => id === wantedId) ?? inOrder.find((address) => address.default) ?? inOrder.at(0)
  return inOrder.map((address) => ({ ...address, default: address === chosen }))
}

/** Replaces the addresses by a list. Clients send back the old default too, so a new default wins. */
export function replaceAddresses(
  before: CustomerAddressState[],
  input: ListedAddressInput[],
  context: AddressContext,
  report: FieldReport,
): CustomerAddressState[] {
  const taken = new Set<number>()
  let wantedId: number | undefined
  const after = input.map((entry, index) => {
    const known = before.find(({ id }) => id === entry.id)
    if (known !== undefined && taken.has(known.id)) report.add(`addresses[${index}].id`, entryRepeated())
    const address = changeOne(known, entry, context, report, `addresses[${index}].`)
    taken.add(address.id)
    if (entry.default === true && known?.default !== true) wantedId ??= address.id
    return address
  })
  return withDefault(after, wantedId)
}

/** Adds an address; the first one becomes the default. */
export function addAddress(
  before: CustomerAddressState[],
  input: CustomerAddressInput,
  context: AddressContext,
  report: FieldReport,
): CustomerAddressState[] {
  if (before.length >= ADDRESSES_MAX) report.add('addresses', tooManyEntries(ADDRESSES_MAX))
  const added = changeOne(undefined, input, context, report, '')
  return withDefault([...before, added], input.default === true ? added.id : undefined)
}

const contentOf = ({ id: _id, default: _default, ...content }: CustomerAddressState) => JSON.stringify(content)

/** The addresses after a list was added to them, and those of the list. */
export type JoinedAddresses = { addresses: CustomerAddressState[]; sent: CustomerAddressState[] }

/**
 * Adds the addresses of a list that are new; existing ones stay unchanged, and empty entries are left out. Once the
 * customer has as many addresses as allowed, further ones are in `sent` alone. The entry that is marked as default comes
 * first in `sent`.
 */
export function joinAddresses(
  before: CustomerAddressState[],
  input: ListedAddressInput[],
  context: AddressContext,
  report: FieldReport,
): JoinedAddresses {
  const after = [...before]
  const sent: CustomerAddressState[] = []
  let wantedId: number | undefined
  for (const [index, entry] of input.entries()) {
    if (!isGiven(entry)) continue
    const address = changeOne(undefined, entry, context, report, `addresses[${index}].`)
    const stored = after.find((kept) => contentOf(kept) === contentOf(address)) ?? address
    if (stored === address && after.length < ADDRESSES_MAX) after.push(address)
    if (entry.default === true) wantedId ??= stored.id
    if (wantedId === stored.id) sent.unshift(stored)
    else sent.push(stored)
  }
  return { addresses: withDefault(after, wantedId), sent }
}

export function updateAddress(
  before: CustomerAddressState[],
  known: CustomerAddressState,
  input: CustomerAddressInput,
  context: AddressContext,
  report: FieldReport,
): CustomerAddressState[] {
  const changed = changeOne(known, input, context, report, '')
  const after = before.map((address) => (address.id === known.id ? changed : address))
  return withDefault(after, input.default === true ? known.id : undefined)
}

export function removeAddress(before: CustomerAddressState[], id: number): CustomerAddressState[] {
  return withDefault(before.filter((address) => address.id !== id))
}
