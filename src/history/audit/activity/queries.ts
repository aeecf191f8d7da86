import type { Db } from '#platform/db/database.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { auditEntriesOf } from '../queries.ts'

export type ActivityEntry = {
  action: string
  subject: string
  address: string
  created_at: Date
  user_email: string | null
  isOfCommandLine: boolean
}

/** The latest audit entries of a company, newest first. */
export async function listLatestEntries(db: Db, companyId: number, limit: number): Promise<ActivityEntry[]> {
  const rows = await auditEntriesOf(db, companyId)
    .leftJoin('users', 'users.id', 'audit_entries.user_id')
    .select([
      'audit_entries.action',
      'audit_entries.subject',
      'audit_entries.address',
      'audit_entries.created_at',
      'users.email as user_email',
    ])
    .orderBy('audit_entries.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, isOfCommandLine: row.address === COMMAND_LINE.address }))
}
