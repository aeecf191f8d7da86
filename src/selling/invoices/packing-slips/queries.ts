import { getCorrespondent } from '#identity/companies/queries.ts'
import { findRecipient } from '#people/customers/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { fulfillmentNotFound } from '#selling/orders/fulfillments/errors.ts'
import { getFulfillmentOwner, readFulfillments } from '#selling/orders/fulfillments/queries.ts'
import { getOrder } from '#selling/orders/queries.ts'
import { packingSlip } from './rules.ts'
import type { PackingSlip } from './state.ts'

/** The slip of an order of the company, or of one that it ships for another company. */
async function getPackingSlip(db: Db, companyId: number, ref: string): Promise<PackingSlip> {
  const ownerId = await getFulfillmentOwner(db, companyId, ref)
  const order = await getOrder(db, ownerId, ref)
  const [[fulfillment], company, recipient] = await Promise.all([
    readFulfillments(db, ownerId, [order]),
    getCorrespondent(db, ownerId),
    findRecipient(db, ownerId, order.customer_id),
  ])
  if (fulfillment === undefined) throw fulfillmentNotFound(ref)
  return packingSlip(order, fulfillment, company, recipient?.language ?? company.language)
}

/** The slips of several orders, in the order in which they are asked for. */
export async function getPackingSlips(db: Db, companyId: number, ids: readonly number[]): Promise<PackingSlip[]> {
  const slips: PackingSlip[] = []
  for (const id of ids) slips.push(await getPackingSlip(db, companyId, String(id)))
  return slips
}
