import type { Caller } from '#platform/caller.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { asciiJson } from '#platform/wire.ts'
import { presentPrice } from './present.ts'
import { lockPrice, PRICES } from './queries.ts'
import { changePrice, INVALID, newPrice } from './rules.ts'
import type { PriceInput } from './schema.ts'
import type { PriceState } from './state.ts'

type Owner = Pick<Caller, 'companyId'>

/** Makes a price model and answers its document. */
export async function createPrice(tx: Tx, { companyId }: Owner, input: PriceInput, now: Date): Promise<string> {
  const { keys } = await takeIds(tx, PRICES, 1, 0)
  const row = columns(newPrice(companyId, keys[0]!, input, now))
  await tx.insertInto('prices').values(row).execute()
  await adjustCounter(tx, companyId, PRICES, 1)
  return row.document
}

/** Changes what the input names and answers the new document. */
export async function updatePrice(
  tx: Tx,
  { companyId }: Owner,
  ref: string,
  input: PriceInput,
  now: Date,
): Promise<string> {
  return savePrice(tx, changePrice(await lockPrice(tx, companyId, ref), input, now))
}

/** Takes a price model out of use. It stays, because bindings and orders name it. */
export async function invalidatePrice(tx: Tx, owner: Owner, ref: string, now: Date): Promise<string> {
  return updatePrice(tx, owner, ref, { valid: INVALID }, now)
}

export async function savePrice(tx: Tx, price: PriceState): Promise<string> {
  const row = columns(price)
  await tx
    .updateTable('prices')
    .set(row)
    .where('company_id', '=', price.company_id)
    .where('id', '=', price.id)
    .execute()
  return row.document
}

function columns(price: PriceState) {
  return {
    ...price,
    countries: JSON.stringify(price.countries),
    currencies: JSON.stringify(price.currencies),
    document: asciiJson(presentPrice(price)),
  }
}
