import type { Db } from '#platform/db/database.ts'
import { proofRecord } from './rules.ts'

/** Every shop of any company that asks for a host, or has it; the earliest first. */
export function readClaimants(db: Db, host: string) {
  return db
    .selectFrom('theme_setting_hosts')
    .select(['company_id', 'theme_setting_id', 'kind', 'proved_at', 'missing_since', 'checks'])
    .where('host', '=', host)
    .where('check_at', 'is not', null)
    .orderBy('company_id')
    .orderBy('theme_setting_id')
    .execute()
}

/** The domains of one company, or of all, with the record that proves each. */
export async function listDomains(db: Db, companyId: number | undefined) {
  const rows = await db
    .selectFrom('theme_setting_hosts')
    .select(['company_id', 'theme_setting_id', 'host', 'proved_at', 'missing_since', 'check_at'])
    .where('check_at', 'is not', null)
    .$call((hosts) => (companyId === undefined ? hosts : hosts.where('company_id', '=', companyId)))
    .orderBy('company_id')
    .orderBy('host')
    .execute()
  return rows.map((row) => ({ ...row, record: proofRecord(row.company_id, row.host) }))
}
