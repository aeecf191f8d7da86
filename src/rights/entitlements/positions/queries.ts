import type { Db } from '#platform/db/database.ts'
import { anyOf, condition } from '#platform/db/expressions.ts'
import type { DeviceOwner } from '../devices/queries.ts'
import { entitlementsOf, owned, type Viewer, whole } from '../queries.ts'
import type { EntitlementState } from '../state.ts'
import { FINISHED } from './rules.ts'
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

/** Something that the customer has begun, and where they stopped. */
export type Started = { position: Position; entitlement: EntitlementState }

/** What the customer has begun and not finished, with the latest position in it, the last used first. */
export async function readStarted(
  db: Db,
  { companyId, customerId, orderIds = null }: DeviceOwner & Pick<Viewer, 'orderIds'>,
  limit: number,
): Promise<Started[]> {
  const started = whole(entitlementsOf(db, companyId))
    .innerJoin('content_positions', (join) =>
      join
        .onRef('content_positions.company_id', '=', 'entitlements.company_id')
        .onRef('content_positions.entitlement_id', '=', 'entitlements.id'),
    )
    .select(['file_id', 'seconds', 'place', 'fraction', 'content_positions.updated_at as stopped_at'])
    .where('content_positions.customer_id', '=', customerId)
    .where('content_positions.fraction', '<', FINISHED)
    .where('content_positions.fraction', '>', 0)
    .where(condition`not exists (select from content_positions as later
      where later.company_id = content_positions.company_id
        and later.entitlement_id = content_positions.entitlement_id
        and (later.updated_at, later.file_id) > (content_positions.updated_at, content_positions.file_id))`)
    .orderBy('content_positions.updated_at', 'desc')
    .limit(limit)
  const seen = orderIds === null ? started : started.where('entitlements.order_id', '=', anyOf([...orderIds]))
  return (await seen.execute()).map(({ file_id, seconds, place, fraction, stopped_at, ...row }) => ({
    position: { entitlement_id: row.id, file_id, seconds, place, fraction, updated_at: stopped_at },
    entitlement: owned(row).entitlement,
  }))
}
