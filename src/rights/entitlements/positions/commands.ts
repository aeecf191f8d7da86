import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { DeviceOwner } from '../devices/queries.ts'
import type { Position } from './state.ts'

export type NewPosition = Omit<Position, 'updated_at'>

/** Content can be played at up to this speed. A place that is further ahead was not played, but skipped to. */
const SPEED_MAX = 2

/** Adds to what was played on the day, in the time zone of the company: how far the place has moved on since the last report. */
async function addPlayed(
  tx: Tx,
  companyId: number,
  { entitlement_id, file_id, seconds }: NewPosition,
  now: Date,
): Promise<void> {
  await sql`with played as materialized (
      select least(${seconds} - seconds, ${SPEED_MAX} * extract(epoch from ${now}::timestamptz - updated_at))::int as seconds
      from content_positions
      where company_id = ${companyId} and entitlement_id = ${entitlement_id} and file_id = ${file_id}
        and seconds < ${seconds} and updated_at < ${now}::timestamptz
    ), counted as (
      insert into usage_changes (company_id, at, product_key, product_id, plays, downloads, seconds)
      select owned.company_id, ${now}, product_key, product_id, 0, 0, played.seconds
      from played join entitlements as owned on owned.company_id = ${companyId} and owned.id = ${entitlement_id}
      where not owned.test
    )
    insert into played_days (company_id, day, entitlement_id, seconds)
    select ${companyId}::bigint, (${now}::timestamptz at time zone 'UTC' + coalesce((select time_zone from users
        where users.company_id = ${companyId} order by id limit 1), 0) * interval '1 minute')::date,
      ${entitlement_id}::bigint, seconds
    from played
    on conflict (company_id, day, entitlement_id) do update
      set seconds = played_days.seconds + excluded.seconds`.execute(tx)
}

/** Remembers where a customer is. Check before that the entitlement is theirs and that the file belongs to it. */
export async function savePosition(
  tx: Tx,
  { companyId, customerId }: DeviceOwner,
  { entitlement_id, file_id, seconds, place, fraction }: NewPosition,
  now: Date,
): Promise<void> {
  await addPlayed(tx, companyId, { entitlement_id, file_id, seconds, place, fraction }, now)
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
