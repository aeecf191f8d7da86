import { priceUnknown } from '#catalog/prices/errors.ts'
import { readPrices } from '#catalog/prices/queries.ts'
import { recordChange } from '#history/audit/commands.ts'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import { findCompany } from '#identity/companies/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { FieldReport, validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { partnerUnknown, titleTaken, tooManyMethods } from './errors.ts'
import { presentShippingMethod } from './present.ts'
import { lockShippingMethod, readEndOfMethods, SHIPPING_METHODS } from './queries.ts'
import { changeShippingMethod, METHODS_MAX, newShippingMethod } from './rules.ts'
import type { ShippingMethodChange, ShippingMethodInput } from './schema.ts'
import type { ShippingMethodState } from './state.ts'

/** Creates a shipping method. Without a position it comes after the others. */
export async function createShippingMethod(
  tx: Tx,
  author: Author,
  input: ShippingMethodInput,
  now: Date,
): Promise<Written<ShippingMethodState>> {
  const { takeRowId } = await takeIds(tx, SHIPPING_METHODS, 1, 0)
  const { count, position } = await readEndOfMethods(tx, author.companyId)
  if (count >= METHODS_MAX) throw tooManyMethods(METHODS_MAX)
  const method = newShippingMethod(author.companyId, takeRowId(), { position, ...input }, now)
  await checkReferences(tx, undefined, method, input)
  await tx.insertInto('shipping_methods').values(columns(method)).execute().catch(refuseTaken)
  shopChanged(tx, author.companyId)
  await recordChange(tx, author, 'shipping method created', method.title, now)
  return written(method)
}

/** Changes the fields that the input names. Orders that exist keep the method as it was. */
export async function updateShippingMethod(
  tx: Tx,
  author: Author,
  ref: string,
  input: ShippingMethodChange,
  now: Date,
): Promise<Written<ShippingMethodState>> {
  const before = await lockShippingMethod(tx, author.companyId, ref)
  const method = changeShippingMethod(before, input, now)
  await checkReferences(tx, before, method, input)
  await save(tx, method).catch(refuseTaken)
  await recordChange(tx, author, 'shipping method changed', method.title, now)
  return written(method)
}

/** Takes a shipping method out of use; its title is free again. Orders that exist keep it. */
export async function deleteShippingMethod(tx: Tx, author: Author, ref: string, now: Date): Promise<void> {
  const method = await lockShippingMethod(tx, author.companyId, ref)
  await save(tx, { ...method, valid: false, updated_at: now })
  await recordChange(tx, author, 'shipping method deleted', method.title, now)
}

/** A price or partner that is named for the first time has to exist. */
async function checkReferences(
  tx: Tx,
  before: ShippingMethodState | undefined,
  { company_id, price_id, weight_rates, partner_id }: ShippingMethodState,
  input: ShippingMethodChange,
): Promise<void> {
  const report = new FieldReport()
  const known = new Set(before === undefined ? [] : pricesIn(before))
  const added = pricesIn({ price_id, weight_rates }).filter((id) => !known.has(id))
  const found = new Set((await readPrices(tx, company_id, added)).map(({ id }) => id))
  const isMissing = (id: number | null | undefined) =>
    Boolean(id) && added.includes(Number(id)) && !found.has(Number(id))
  if (isMissing(price_id)) report.add('price_id', priceUnknown())
  for (const [index, rate] of (input.weight_rates ?? []).entries())
    if (isMissing(rate.price_id)) report.add(`weight_rates[${index}].price_id`, priceUnknown())
  const isNewPartner = partner_id !== null && partner_id !== before?.partner_id
  if (isNewPartner && (await findCompany(tx, partner_id)) === undefined)
    report.add('shipping_partner_id', partnerUnknown())
  report.throwIfAny()
}

function pricesIn({ price_id, weight_rates }: Pick<ShippingMethodState, 'price_id' | 'weight_rates'>): number[] {
  return [price_id, ...weight_rates.map((rate) => rate.price_id)].filter((id) => id !== null)
}

async function save(tx: Tx, method: ShippingMethodState): Promise<void> {
  shopChanged(tx, method.company_id)
  await tx
    .updateTable('shipping_methods')
    .set(columns(method))
    .where('company_id', '=', method.company_id)
    .where('id', '=', method.id)
    .execute()
}

function columns(method: ShippingMethodState) {
  return { ...method, weight_rates: JSON.stringify(method.weight_rates) }
}

function written(method: ShippingMethodState): Written<ShippingMethodState> {
  return { state: method, document: asciiJson(presentShippingMethod(method)) }
}

function refuseTaken(error: { code?: string; constraint?: string }): never {
  throw error.code === '23505' && error.constraint === 'shipping_methods_title'
    ? validationFailed('title', titleTaken())
    : error
}
