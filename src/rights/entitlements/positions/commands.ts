import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { DeviceOwner } from '../devices/queries.ts'
import { FINISHED } from './rules.ts'
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

/** Counts that somebody has begun a file, and that they have reached its end: once each, however often they come back. */
async function countProgress(
  tx: Tx,
  companyId: number,
  { entitlement_id, file_id, fraction }: Pick<NewPosition, 'entitlement_id' | 'file_id' | 'fraction'>,
  now: Date,
): Promise<void> {
  await sql`insert into usage_changes
      (company_id, at, product_key, product_id, plays, downloads, seconds, started, finished)
    select owned.company_id, ${now}, product_key, product_id, 0, 0, 0, (before.finished is null)::int,
      (${fraction >= FINISHED} and before.finished is not true)::int
    from entitlements as owned
    left join content_positions as before on before.company_id = ${companyId} and before.file_id = ${file_id}
      and before.entitlement_id = ${entitlement_id}
    where owned.company_id = ${companyId} and owned.id = ${entitlement_id} and not owned.test
      and (before.finished is null or (${fraction >= FINISHED} and not before.finished))`.execute(tx)
}

/** Remembers where a customer is. Check before that the entitlement is theirs and that the file belongs to it. */
export async function savePosition(
  tx: Tx,
  { companyId, customerId }: DeviceOwner,
  { entitlement_id, file_id, seconds, place, fraction }: NewPosition,
  now: Date,
): Promise<void> {
  await addPlayed(tx, companyId, { entitlement_id, file_id, seconds, place, fraction }, now)
  await countProgress(tx, companyId, { entitlement_id, file_id, fraction }, now)
  await sql`insert into content_positions
      (company_id, entitlement_id, file_id, customer_id, seconds, place, fraction, updated_at, finished)
    values (${companyId}, ${entitlement_id}, ${file_id}, ${customerId}, ${seconds}, ${place}, ${fraction}, ${now},
      ${fraction >= FINISHED})
    on conflict (company_id, entitlement_id, file_id) do update set customer_id = excluded.customer_id,
      seconds = excluded.seconds, place = excluded.place, fraction = excluded.fraction,
      updated_at = excluded.updated_at, finished = content_positions.finished or excluded.finished`.execute(tx)
}

/** Deletes what a company knows of where a customer stopped. */
export async function forgetPositions(tx: Tx, { companyId, customerId }: DeviceOwner): Promise<void> {
  await tx
    .deleteFrom('content_positions')
    .where('company_id', '=', companyId)
    .where('customer_id', '=', customerId)
    .execute()
}
