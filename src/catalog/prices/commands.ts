import { FOLLOW_TERMS } from '#catalog/term-changes/jobs.ts'
import { recordChange } from '#history/audit/commands.ts'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import type { Author } from '#platform/identity/caller.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { presentChange } from './changes/present.ts'
import { changeByPercent } from './changes/rules.ts'
import type { PriceChange, PriceChangeInput } from './changes/schema.ts'
import { priceInUse } from './errors.ts'
import { presentPrice } from './present.ts'
import { countPriceUses, lockPrice, lockPrices, PRICES, readVersions } from './queries.ts'
import { changePrice, INVALID, newPrice } from './rules.ts'
import type { PriceInput } from './schema.ts'
import type { PriceState } from './state.ts'

/** Creates a price model. */
export async function createPrice(tx: Tx, author: Author, input: PriceInput, now: Date): Promise<Written<PriceState>> {
  const { takeRowId } = await takeIds(tx, PRICES, 1, 0)
  const price = newPrice(author.companyId, takeRowId(), input, now)
  const row = columns(price)
  shopChanged(tx, row.company_id)
  await tx.insertInto('prices').values(row).execute()
  await adjustCounter(tx, author.companyId, PRICES, 1)
  await recordChange(tx, author, 'price created', inWords(price), now)
  return { state: price, document: row.document }
}

/** Changes the fields that the input names. The products that show the price model change with it, by a job. */
export async function updatePrice(
  tx: Tx,
  author: Author,
  ref: string,
  input: PriceInput,
  now: Date,
): Promise<Written<PriceState>> {
  const before = await lockPrice(tx, author.companyId, ref)
  const after = changePrice(before, input, now)
  await recordChange(tx, author, 'price changed', inWords(after), now)
  if (showsAnother(before, after)) {
    const data = { price_ids: [after.id], license_ids: [] }
    await enqueue(tx, { kind: FOLLOW_TERMS, companyId: after.company_id, data }, now)
  }
  return savePrice(tx, after)
}

/**
 * Changes many price models by percent, all of them or none. Those that somebody else has changed since they were read are
 * refused.
 */
export async function changePrices(
  tx: Tx,
  author: Author,
  input: PriceChangeInput,
  versionOf: (document: string) => string,
  now: Date,
): Promise<Written<PriceState[]>> {
  const { companyId } = author
  const ids = input.prices.map(({ id }) => id)
  await lockPrices(tx, companyId, ids)
  const changed = changeByPercent(input, await readVersions(tx, companyId, ids, versionOf), now)
  const written: PriceChange[] = []
  for (const each of changed) {
    await recordChange(tx, author, 'price changed', inWords(each.after), now)
    const { document } = await savePrice(tx, each.after)
    written.push(presentChange(each, versionOf(document)))
  }
  const data = { price_ids: changed.map(({ after }) => after.id), license_ids: [] }
  await enqueue(tx, { kind: FOLLOW_TERMS, companyId, data }, now)
  return { state: changed.map(({ after }) => after), document: asciiJson(written) }
}

/** Takes a price model out of use, also one that products name. It stays, because bindings and orders name it. */
export async function invalidatePrice(tx: Tx, author: Author, ref: string, now: Date): Promise<Written<PriceState>> {
  return updatePrice(tx, author, ref, { valid: INVALID }, now)
}

/** Takes a price model out of use that nothing names. It stays readable, as a license does. */
export async function deletePrice(tx: Tx, author: Author, ref: string, now: Date): Promise<Written<PriceState>> {
  const before = await lockPrice(tx, author.companyId, ref)
  const uses = await countPriceUses(tx, author.companyId, before.id)
  if (uses.products > 0 || uses.methods > 0 || uses.plans > 0) throw priceInUse({ title: before.title, ...uses })
  const after = { ...before, valid: INVALID, modified_at: now }
  await recordChange(tx, author, 'price deleted', inWords(after), now)
  return savePrice(tx, after)
}

function showsAnother(before: PriceState, after: PriceState): boolean {
  return columns({ ...before, modified_at: after.modified_at }).document !== columns(after).document
}

function inWords({ id, title }: PriceState): string {
  return `${title} (${id})`
}

export async function savePrice(tx: Tx, price: PriceState): Promise<Written<PriceState>> {
  const row = columns(price)
  shopChanged(tx, price.company_id)
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
