import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { DeviceOwner } from '../devices/queries.ts'
import type { Position } from './state.ts'

export type NewPosition = Omit<Position, 'updated_at'>

/** Remembers where a customer is. Check before that the entitlement is theirs and that the file belongs to it. */
export async function savePosition(
  tx: Tx,
  { companyId, customerId }: DeviceOwner,
  { entitlement_id, file_id, seconds, place, fraction }: NewPosition,
  now: Date,
): Promise<void> {
  await sql`insert into content_positions
      (company_id, entitlement_id, file_id, customer_id, seconds, place, fraction, updated_at)
    values (${companyId}, ${entitlement_id}, ${file_id}, ${customerId}, ${seconds}, ${place}, ${fraction}, ${now})
    on conflict (company_id, entitlement_id, file_id) do update set customer_id = excluded.customer_id,
      seconds = excluded.seconds, place = excluded.place, fraction = excluded.fraction,
      updated_at = excluded.updated_at`.execute(tx)
}

/** Deletes what a company knows of where a customer stopped. */
export async function forgetPositions(tx: Tx, { companyId, customerId }: DeviceOwner): Promise<void> {
  await tx
    .deleteFrom('content_positions')
    .where('company_id', '=', companyId)
    .where('customer_id', '=', customerId)
    .execute()
}
