import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import type { UseState } from './state.ts'

const DAY_MS = 86_400_000
/** Two years, so that support can look back over a year of a license. */
export const KEPT_DAYS = 730

type NewUse = Omit<UseState, 'id'>

const insertUse = prepareWrite(
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

/** Keeps a refused check, unless the same was refused within the last minute: players ask again and again. */
export async function recordRefusedCheck(tx: Tx, use: NewUse): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from (
      select * from entitlement_uses
      where company_id = ${use.company_id} and entitlement_id = ${use.entitlement_id} order by id desc limit 20) as latest
    where kind = 'check' and action = ${use.action} and code = ${use.code}
      and device_id is not distinct from ${use.device_id}::text
      and created_at > ${new Date(use.created_at.getTime() - 60_000)}
    limit 1`.execute(tx)
  if (rows.length === 0) await recordUse(tx, use)
}

/** Deletes a batch of entries that are too old, and returns how many there were. */
export async function deleteOldUses(tx: Tx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS)
  const { numAffectedRows } = await sql`delete from entitlement_uses where (company_id, id) in (
    select company_id, id from entitlement_uses where created_at < ${before} order by created_at limit 10000)`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}
