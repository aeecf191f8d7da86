import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { DeviceOwner } from '../devices/queries.ts'
import type { Position } from './state.ts'

/** Every read of positions starts here, so none can forget the company and the customer. */
function positionsOf(db: Db, { companyId, customerId }: DeviceOwner) {
  return db
    .selectFrom('content_positions')
    .where('content_positions.company_id', '=', companyId)
    .where('content_positions.customer_id', '=', customerId)
    .select(['entitlement_id', 'file_id', 'seconds', 'place', 'fraction', 'updated_at'])
}

/** The positions in the files of an entitlement, the latest first. */
export function readPositions(db: Db, owner: DeviceOwner, entitlementId: number): Promise<Position[]> {
  return positionsOf(db, owner)
    .where('content_positions.entitlement_id', '=', entitlementId)
    .orderBy('content_positions.updated_at', 'desc')
    .execute()
}

/** From here on something counts as finished: the rest is credits. */
export const FINISHED = 0.97

/** The latest position in each thing that the customer has begun and not finished, the latest first. */
export async function readStarted(db: Db, owner: DeviceOwner, limit: number): Promise<Position[]> {
  const latest = await positionsOf(db, owner)
    .where(sql<boolean>`not exists (select from content_positions as later
      where later.company_id = content_positions.company_id
        and later.entitlement_id = content_positions.entitlement_id
        and (later.updated_at, later.file_id) > (content_positions.updated_at, content_positions.file_id))`)
    .where('content_positions.fraction', '<', FINISHED)
    .orderBy('content_positions.updated_at', 'desc')
    .limit(limit)
    .execute()
  return latest.filter(({ fraction }) => fraction > 0)
}
