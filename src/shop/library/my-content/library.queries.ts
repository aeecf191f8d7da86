import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { Db } from '#platform/db/database.ts'
import { getGrant } from '#rights/content-files/delivery/queries.ts'
import { isCopyBeingMade } from '#rights/content-files/delivery/stamped.queries.ts'
import type { Grant } from '#rights/content-files/state.ts'
import { statusOf } from '#rights/entitlements/rights/rules.ts'
import { isHeldUntil, rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { readOrders } from '#selling/orders/queries.ts'
import { consentText } from '#selling/orders/withdrawals/consent.rules.ts'
import { findHold } from '#selling/orders/withdrawals/queries.ts'
import type { Reader } from '#shop/catalog-pages/cards.present.ts'
import { findOwnedPart } from '../player/owned.queries.ts'
import { type Buyer, readKeepOffers } from './keep.queries.ts'
import { presentOwned } from './library.present.ts'

/** The same, with the title and the picture of its product as the visitor reads them. */
export async function readOwned(
  db: Db,
  session: CustomerSession,
  grant: Grant,
  visit: Reader & Buyer & { language: string },
  now: Date,
) {
  const { entitlement } = grant
  const [part, isHeld, offers] = await Promise.all([
    findOwnedPart(db, session, grant, visit),
    isHeldByConsent(db, grant, now),
    readKeepOffers(db, session, visit, [entitlement], now),
  ])
  const consent_text = isHeld ? consentText(visit.language) : ''
  /** How it is kept for good, if it is rented. */
  const keep = offers.get(entitlement.id)
  return { ...presentOwned(grant, part, visit, now), consent_text, keep }
}

/** Could the customer use it now after agreeing to start before the withdrawal period ends? */
async function isHeldByConsent(db: Db, { entitlement }: Grant, now: Date): Promise<boolean> {
  const { company_id, order_id } = entitlement
  if (order_id === null || statusOf(rightsOf(entitlement), now).refusal === null) return false
  const [order] = await readOrders(db, company_id, [order_id])
  const day = order && (await findHold(db, order, now))
  return day !== undefined && isHeldUntil(entitlement, day)
}

/** Those of some things that could be used now after agreeing to start before the withdrawal period ends. */
export async function findHeldIds(
  db: Db,
  companyId: number,
  entitlements: readonly EntitlementState[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const waiting = entitlements.filter((each) => statusOf(rightsOf(each), now).refusal === 'not_released')
  const orderIds = [...new Set(waiting.flatMap(({ order_id }) => order_id ?? []))]
  if (orderIds.length === 0) return new Set()
  const orders = await readOrders(db, companyId, orderIds)
  const days = new Map(
    await Promise.all(orders.map(async (order) => [order.id, await findHold(db, order, now)] as const)),
  )
  const isHeld = (each: EntitlementState) => {
    const day = days.get(each.order_id ?? 0)
    return day !== undefined && isHeldUntil(each, day)
  }
  return new Set(waiting.filter(isHeld).map(({ id }) => id))
}

/** Is the copy of a file that names the customer being made? */
export async function isBeingPrepared(db: Db, grant: Grant, fileId: string): Promise<boolean> {
  return /^\d{1,15}$/.test(fileId) && isCopyBeingMade(db, grant, Number(fileId))
}

/** One of the things that the customer owns; anything else is not found. */
export function getOwned(db: Db, { companyId, customerId, orderIds }: CustomerSession, ref: string): Promise<Grant> {
  return getGrant(db, { companyId, customerId, orderIds }, ref)
}
