import { sql } from 'kysely'
import { readTimeZone } from '#identity/users/queries.ts'
import { BATCH_ROWS } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { raisedVersions, raiseVersion } from '#platform/db/versions.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import type { Action } from '../rights/state.ts'
import type { EntitlementState } from '../state.ts'
import { dayIn, USAGE_DAYS } from './queries.ts'
import type { UseState } from './state.ts'

const DAY_MS = 86_400_000
/** Two years, so that support can look back over a year of a license. */
export const KEPT_DAYS = 730

function keptSince(now: Date): Date {
  return new Date(now.getTime() - KEPT_DAYS * DAY_MS)
}

type NewUse = Omit<UseState, 'id'>
type CountedProduct = Pick<EntitlementState, 'company_id' | 'product_key' | 'product_id' | 'test'>

const insertUse = prepareWrite(
  'insert',
  'entitlement_uses',
  (
    tx: Tx,
    companyId: number,
    entitlementId: number,
    kind: string,
    action: string,
    code: string,
    deviceId: string | null,
    country: string | null,
    clientTime: Date | null,
    appId: number,
    now: Date,
  ) =>
    sql`insert into entitlement_uses (company_id, entitlement_id, kind, action, code, device_id, country, client_time,
        app_id, created_at)
      values (${companyId}, ${entitlementId}, ${kind}, ${action}, ${code}, ${deviceId}::text, ${country}::text,
        ${clientTime}::timestamptz, ${appId}, ${now})`.compile(tx),
)

/** Keeps a use or a refusal for support. */
export async function recordUse(tx: Tx, use: NewUse): Promise<void> {
  const { company_id, entitlement_id, kind, action, code, device_id, country, client_time, app_id, created_at } = use
  await insertUse(
    tx,
    company_id,
    entitlement_id,
    kind,
    action,
    code,
    device_id,
    country,
    client_time,
    app_id,
    created_at,
  )
}

const insertChange = prepareWrite(
  'insert',
  'usage_changes',
  (tx: Tx, companyId: number, productKey: number, productId: string, plays: number, downloads: number, now: Date) =>
    sql`insert into usage_changes (company_id, at, product_key, product_id, plays, downloads, seconds)
      values (${companyId}, ${now}, ${productKey}, ${productId}, ${plays}, ${downloads}, 0)`.compile(tx),
)

/**
 * Counts a use for the statistics, in the transaction that records it. It only appends a row, so that uses do not wait for
 * each other. Orders that are tests are left out.
 */
export async function countUse(
  tx: Tx,
  { company_id, product_key, product_id, test }: CountedProduct,
  action: Action,
  now: Date,
): Promise<void> {
  const isPlay = action === 'play'
  if (test || !(isPlay || action === 'download')) return
  await insertChange(tx, company_id, product_key, product_id, isPlay ? 1 : 0, isPlay ? 0 : 1, now)
}

/**
 * Takes the device and the place out of a batch of uses, until a time, of what a customer owns, and returns how many they were.
 * The rest stays for support.
 */
export async function forgetUser(
  tx: Tx,
  { companyId, customerId }: { companyId: number; customerId: number },
  usedUntil: Date,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update entitlement_uses
    set device_id = null, country = null, client_time = null
    where company_id = ${companyId} and ctid = any(array(
      select used.ctid from entitlements as owned
      join entitlement_uses as used on used.company_id = ${companyId} and used.entitlement_id = owned.id
      where owned.company_id = ${companyId} and owned.customer_id = ${customerId} and used.created_at <= ${usedUntil}
        and (used.device_id is not null or used.country is not null or used.client_time is not null)
      limit ${BATCH_ROWS}))`.execute(tx)
  return Number(numAffectedRows)
}

/** Keeps a refused check, unless the same was refused within the last minute: players ask again and again. */
export async function recordRefusedCheck(tx: Tx, use: NewUse): Promise<void> {
  const { rows } = await sql<Columns<'entitlement_uses', 'id'>>`select id from (
      select * from entitlement_uses
      where company_id = ${use.company_id} and entitlement_id = ${use.entitlement_id} order by id desc limit 20) as latest
    where kind = 'check' and action = ${use.action} and code = ${use.code}
      and device_id is not distinct from ${use.device_id}::text
      and created_at > ${new Date(use.created_at.getTime() - 60_000)}
    limit 1`.execute(tx)
  if (rows.length === 0) await recordUse(tx, use)
}

const numbersAdded = sql`plays = usage_days.plays + excluded.plays,
  downloads = usage_days.downloads + excluded.downloads, seconds = usage_days.seconds + excluded.seconds,
  started = usage_days.started + excluded.started, finished = usage_days.finished + excluded.finished`

/**
 * Adds a batch of uses to the days of their products, and returns how many there were. One statement does it, so that a worker
 * that dies has either added them or not. Two workers take different ones, and write the days in the same order.
 */
export async function addUsesToDays(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`with chosen as materialized (
      select ctid from usage_changes limit ${limit} for update skip locked
    ), taken as (
      -- They have no key, and need none.
      delete from usage_changes where ctid = any(array(select chosen.ctid from chosen)) returning *
    ), zones as (
      select company_id, coalesce((select time_zone from users where users.company_id = used.company_id
        order by users.id limit 1), 0) as utc_offset
      from (select distinct company_id from taken) as used
    ), added as (
      insert into usage_days (company_id, day, product_key, product_id, plays, downloads, seconds, started, finished)
      select company_id, ${dayIn(sql`utc_offset`, sql`at`)}, product_key, product_id, sum(plays), sum(downloads),
        sum(seconds), sum(started), sum(finished)
      from taken join zones using (company_id) group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (company_id, day, product_key, product_id) do update set ${numbersAdded}
    ), versions_raised as (${raisedVersions(USAGE_DAYS, sql`select company_id from taken`)})
    select count(*) as count from taken`.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * Corrects the days of a company, so that they agree with the uses that are kept, in the time zone that the company has now.
 * The difference is added by one statement that sees everything at one moment, so nobody has to stop working. Days whose uses
 * may have been deleted stay as they are, and so does what was begun and finished: positions are deleted with their customers.
 */
export async function correctUsageDays(tx: Tx, companyId: number, now: Date): Promise<void> {
  const offset = sql`${await readTimeZone(tx, companyId)}::int`
  const kept = sql`${keptSince(now)}::timestamptz`
  // Before the days, as where uses are added to them: PostgreSQL begins with the last part of that statement.
  await raiseVersion(tx, companyId, USAGE_DAYS)
  await sql`insert into usage_days (company_id, day, product_key, product_id, plays, downloads, seconds)
    select ${companyId}::bigint, day, product_key, product_id, sum(plays), sum(downloads), sum(seconds)
    from (
      select day, product_key, product_id, plays, downloads, seconds
      from (
        select entitlement_id, ${dayIn(offset, sql`created_at`)} as day, (action = 'play')::int as plays,
          (action = 'download')::int as downloads, 0 as seconds
        from entitlement_uses
        where company_id = ${companyId} and kind = 'use' and code = 'allowed' and action in ('play', 'download')
        union all
        select entitlement_id, day, 0, 0, seconds from played_days where company_id = ${companyId}
      ) as used
      join entitlements as owned on owned.company_id = ${companyId} and owned.id = used.entitlement_id
      where not owned.test
      union all
      select day, product_key, product_id, -plays, -downloads, -seconds from usage_days where company_id = ${companyId}
      union all
      select ${dayIn(offset, sql`at`)}, product_key, product_id, -plays, -downloads, -seconds
      from usage_changes where company_id = ${companyId}
    ) as part
    where day > ${dayIn(offset, kept)}
    group by day, product_key, product_id
    having sum(plays) <> 0 or sum(downloads) <> 0 or sum(seconds) <> 0
    order by day, product_key, product_id
    on conflict (company_id, day, product_key, product_id) do update set ${numbersAdded}`.execute(tx)
}

/** Deletes a batch of entries that are too old, and returns how many there were. */
export async function deleteOldUses(tx: Tx, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`delete from entitlement_uses where (company_id, id) in (
    select company_id, id from entitlement_uses where created_at < ${keptSince(now)} order by created_at limit 10000)`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}
