import { type AddressContext, changeAddress } from '#addresses/rules.ts'
import { ADDRESS_NAME_MAX } from '#addresses/schema.ts'
import { entryRepeated, fieldTooLong, tooManyEntries } from '#platform/faults.ts'
import type { FieldReport } from '#platform/problem.ts'
import { ADDRESSES_MAX, type CustomerAddressInput, type ListedAddressInput } from './schema.ts'
import type { CustomerAddressState } from './state.ts'

/** Splits a full name: its last word is the last name. */
function withNames(input: CustomerAddressInput, before: CustomerAddressState | undefined): CustomerAddressInput {
  const { name, first_name, last_name } = input
  if (typeof name !== 'string' || first_name !== undefined || last_name !== undefined) return input
  const words = name.trim()
  if (words === `${before?.first_name ?? ''} ${before?.last_name ?? ''}`.trim()) return input
  const gap = words.lastIndexOf(' ')
  return { ...input, first_name: words.slice(0, Math.max(0, gap)).trim(), last_name: words.slice(gap + 1) }
}

function changeOne(
  before: CustomerAddressState | undefined,
  input: CustomerAddressInput,
  context: AddressContext,
  report: FieldReport,
  path: string,
): CustomerAddressState {
  const address = changeAddress(before, withNames(input, before), context, report, path)
  if ([address.first_name, address.last_name].some((text) => [...text].length > ADDRESS_NAME_MAX))
    report.add(
      `${path}name`,
      fieldTooLong(`has a part that is too long (the maximum is ${ADDRESS_NAME_MAX} characters)`),
    )
  return { ...address, default: before?.default ?? false }
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

/** Adds the addresses of a list that are new; existing ones stay unchanged. */
export function joinAddresses(
  before: CustomerAddressState[],
  input: ListedAddressInput[],
  context: AddressContext,
  report: FieldReport,
): CustomerAddressState[] {
  const after = [...before]
  for (const [index, entry] of input.entries()) {
    const address = changeOne(undefined, entry, context, report, `addresses[${index}].`)
    if (!after.some((kept) => contentOf(kept) === contentOf(address))) after.push(address)
  }
  if (after.length > ADDRESSES_MAX) report.add('addresses', tooManyEntries(ADDRESSES_MAX))
  return withDefault(after)
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
