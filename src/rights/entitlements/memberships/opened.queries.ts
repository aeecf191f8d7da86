import type { Db } from '#platform/db/database.ts'
import { entitlementsOf, owned, whole } from '../queries.ts'
import type { EntitlementState } from '../state.ts'
import type { Member } from './queries.ts'

/** What a member has opened of a product in a group, in the order in which it was opened. */
export async function readOpened(
  db: Db,
  { companyId, customerId }: Member,
  groupId: string,
  productKey: number,
): Promise<EntitlementState[]> {
  const rows = await whole(entitlementsOf(db, companyId))
    .where('entitlements.customer_id', '=', customerId)
    .where('entitlements.group_id', '=', groupId)
    .where('entitlements.group_product_key', '=', productKey)
    .orderBy('entitlements.id')
    .execute()
  return rows.map((row) => owned(row).entitlement)
}
