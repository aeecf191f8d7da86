import { type SqlBool, sql } from 'kysely'
import { findCompany } from '#companies/queries.ts'
import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { FieldReport, validationFailed } from '#platform/problem.ts'
import { priceUnknown } from '#prices/errors.ts'
import { readPrices } from '#prices/queries.ts'
import { partnerUnknown, titleTaken } from './errors.ts'
import { SHIPPING_METHODS } from './queries.ts'
import { newShippingMethod } from './rules.ts'
import type { ShippingMethodInput } from './schema.ts'
import type { ShippingMethodState } from './state.ts'

/** Makes a shipping method. */
export async function createShippingMethod(
  tx: Tx,
  { companyId }: Pick<Caller, 'companyId'>,
  input: ShippingMethodInput,
  now: Date,
): Promise<ShippingMethodState> {
  const { takeRowId } = await takeIds(tx, SHIPPING_METHODS, 1, 0)
  const method = newShippingMethod(companyId, takeRowId(), input, now)
  const report = new FieldReport()
  if (method.price_id !== null && (await readPrices(tx, companyId, [method.price_id])).length === 0)
    report.add('price_id', priceUnknown())
  if (method.partner_id !== null && (await findCompany(tx, method.partner_id)) === undefined)
    report.add('shipping_partner_id', partnerUnknown())
  report.throwIfAny()
  const added = await tx
    .insertInto('shipping_methods')
    .values(method)
    // In the words of the index: a value in their place would no longer be known once the statement is prepared.
    .onConflict((conflict) => conflict.expression(sql`company_id, lower(title)`).where(sql<SqlBool>`valid`).doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 0n) throw validationFailed('title', titleTaken())
  return method
}
