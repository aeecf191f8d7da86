import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './database.ts'

/**
 * Versions tell processes whether what they keep in memory is still true. A transaction that changes the rows behind a version
 * raises it, so that a reader who sees the new rows sees the new version too, and the other way round.
 */

/** Raises a version for each company of a query, as a statement or as a part of one, in the order in which all others do. */
export function raisedVersions(name: string, companyIds: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into versions (company_id, name, number)
    select company_id, ${sql.lit(name)}, 1 from (${companyIds}) as changed group by company_id order by company_id
    on conflict (company_id, name) do update set number = versions.number + 1`
}

export async function raiseVersion(tx: Tx, companyId: number, name: string): Promise<void> {
  await raisedVersions(name, sql`select ${companyId}::bigint as company_id`).execute(tx)
}

/** The version as part of a statement, so that it can be read together with something else. */
export function versionOf(companyId: number, name: string): RawBuilder<number> {
  return sql<number>`coalesce((select number from versions
    where company_id = ${companyId} and name = ${sql.lit(name)}), 0)`
}

/** The version with how many changes are not part of it yet, as a statement counts them: another text whenever either is another. */
export function versionWith(companyId: number, name: string, pending: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`concat(${versionOf(companyId, name)}, '+', (${pending}))`
}
