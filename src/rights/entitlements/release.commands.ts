import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Columns, Row } from '#platform/db/expressions.ts'
import { lockEntitlements } from './queries.ts'
import { saveEntitlements } from './rows.commands.ts'

const BATCH = 1000

/** Fixes the start of content that was ordered in advance and is out now: later changes to the date do not matter. */
export async function releaseStarted(tx: Tx, now: Date, only?: number): Promise<number> {
  const isAsked = only === undefined ? sql`` : sql`and entitlements.company_id = ${only}`
  const { rows } = await sql<Columns<'entitlements', 'company_id'> & { ids: number[] }>`
    with started as materialized (
      select entitlements.company_id, entitlements.id from entitlements
      left join products on products.company_id = entitlements.company_id and products.id = entitlements.product_key
      where entitlements.awaits_release ${isAsked}
        and case when products.id is null or (products.published_at is null and not products.published)
          then entitlements.released_at <= ${now}
          else coalesce(products.published_at <= ${now}, true) end
      limit ${BATCH})
    select company_id, array_agg(id::float8 order by id) as ids from started group by company_id order by company_id`.execute(
    tx,
  )
  for (const { company_id, ids } of rows) {
    const found = await lockEntitlements(tx, company_id, ids)
    const started = found.map(({ entitlement, language }) => ({
      language,
      entitlement: { ...entitlement, awaits_release: false },
    }))
    await saveEntitlements(tx, company_id, started, now)
  }
  return rows.reduce((sum, { ids }) => sum + ids.length, 0)
}

/** When the next of a company's content is released that was ordered in advance, after one time and no later than another. */
export async function findNextRelease(db: Db, companyId: number, after: Date, until: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Row<'entitlements'>['released_at'] }>`select min(at) as at from (
      select coalesce(products.published_at, entitlements.released_at) as at from entitlements
      left join products on products.company_id = entitlements.company_id and products.id = entitlements.product_key
      where entitlements.company_id = ${companyId} and entitlements.awaits_release) as release
    where at > ${after} and at <= ${until}`.execute(db)
  return rows[0]?.at ?? undefined
}

/** Presents stored documents again. */
export async function rewriteDocuments(tx: Tx, companyId: number, ids: number[], now: Date): Promise<void> {
  await saveEntitlements(tx, companyId, await lockEntitlements(tx, companyId, ids), now)
}
