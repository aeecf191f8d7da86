import { findCountry } from '#identity/addresses/countries.facts.ts'
import type { AddressContext } from '#identity/addresses/rules.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { changeOwnCustomer } from '../commands.ts'
import { presentAddresses, presentOwnAddress } from '../present.ts'
import { ACCOUNTS, type OwnCustomer } from '../queries.ts'
import { addressNotFound } from './errors.ts'
import { addAddress, removeAddress, updateAddress } from './rules.ts'
import type { CustomerAddressInput } from './schema.ts'
import type { CustomerAddressState } from './state.ts'

type Change = (before: CustomerAddressState[], context: AddressContext, report: FieldReport) => CustomerAddressState[]

async function changeAddresses(
  tx: Tx,
  caller: Pick<Caller, 'companyId'>,
  ref: string,
  input: CustomerAddressInput,
  change: Change,
  now: Date,
): Promise<OwnCustomer> {
  const { takePartId: takeId } = await takeIds(tx, ACCOUNTS, 0, 1)
  return changeOwnCustomer(
    tx,
    caller,
    ref,
    (own) => {
      const report = new FieldReport()
      reportUnstorable(input, report)
      const addresses = change(own.addresses, { takeId, findCountry }, report)
      report.throwIfAny()
      return { ...own, addresses }
    },
    now,
  )
}

function known(addresses: CustomerAddressState[], id: string): CustomerAddressState {
  const address = addresses.find((entry) => String(entry.id) === id)
  if (address === undefined) throw addressNotFound(id)
  return address
}

/** Adds an address; the document lists all addresses of the customer. */
export async function createAddress(
  tx: Tx,
  caller: Pick<Caller, 'companyId'>,
  ref: string,
  input: CustomerAddressInput,
  now: Date,
): Promise<Written<CustomerAddressState[]>> {
  const add: Change = (before, context, report) => addAddress(before, input, context, report)
  const { account, own } = await changeAddresses(tx, caller, ref, input, add, now)
  return { state: own.addresses, document: asciiJson(presentAddresses(account.token, own)) }
}

/** Changes the fields of one address that the body names. */
export async function changeAddressOf(
  tx: Tx,
  caller: Pick<Caller, 'companyId'>,
  ref: string,
  id: string,
  input: CustomerAddressInput,
  now: Date,
): Promise<Written<CustomerAddressState>> {
  const update: Change = (before, context, report) => updateAddress(before, known(before, id), input, context, report)
  const { account, own } = await changeAddresses(tx, caller, ref, input, update, now)
  const address = known(own.addresses, id)
  return { state: address, document: asciiJson(presentOwnAddress(address, account.token)) }
}

/** Removes an address. If it was the default, the oldest remaining one becomes the default. */
export async function deleteAddress(
  tx: Tx,
  caller: Pick<Caller, 'companyId'>,
  ref: string,
  id: string,
  now: Date,
): Promise<void> {
  await changeAddresses(tx, caller, ref, {}, (before) => removeAddress(before, known(before, id).id), now)
}
