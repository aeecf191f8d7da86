import type { Caller } from '#platform/caller.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { asciiJson } from '#platform/wire.ts'
import type { Written } from '#platform/written.ts'
import { presentPrice } from './present.ts'
import { lockPrice, PRICES } from './queries.ts'
import { changePrice, INVALID, newPrice } from './rules.ts'
import type { PriceInput } from './schema.ts'
import type { PriceState } from './state.ts'

type Owner = Pick<Caller, 'companyId'>

/** Makes a price model. */
export async function createPrice(
  tx: Tx,
  { companyId }: Owner,
  input: PriceInput,
  now: Date,
): Promise<Written<PriceState>> {
  const { takeRowId } = await takeIds(tx, PRICES, 1, 0)
  const price = newPrice(companyId, takeRowId(), input, now)
  const row = columns(price)
  await tx.insertInto('prices').values(row).execute()
  await adjustCounter(tx, companyId, PRICES, 1)
  return { state: price, document: row.document }
}

/** Changes what the input names. */
export async function updatePrice(
  tx: Tx,
  { companyId }: Owner,
  ref: string,
  input: PriceInput,
  now: Date,
): Promise<Written<PriceState>> {
  return savePrice(tx, changePrice(await lockPrice(tx, companyId, ref), input, now))
}

/** Takes a price model out of use. It stays, because bindings and orders name it. */
export async function invalidatePrice(tx: Tx, owner: Owner, ref: string, now: Date): Promise<Written<PriceState>> {
  return updatePrice(tx, owner, ref, { valid: INVALID }, now)
}

export async function savePrice(tx: Tx, price: PriceState): Promise<Written<PriceState>> {
  const row = columns(price)
  await tx
    .updateTable('prices')
    .set(row)
    .where('company_id', '=', price.company_id)
    .where('id', '=', price.id)
    .execute()
  return { state: price, document: row.document }
}

function columns(price: PriceState) {
  return {
    ...price,
    countries: JSON.stringify(price.countries),
    currencies: JSON.stringify(price.currencies),
    document: asciiJson(presentPrice(price)),
  }
}
