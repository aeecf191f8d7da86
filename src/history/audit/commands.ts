import { sql } from 'kysely'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import type { Origin } from '#platform/identity/origin.ts'
import type { Action } from './actions.facts.ts'

export type AuditEntry = {
  /** The company concerned; null if it is not known. */
  companyId: number | null
  userId?: number | null
  appId?: number | null
  action: Action
  /** The object or person that the action concerns, with details in a few words. */
  subject: string
}

/** Writes an audit entry in the transaction of the action. */
export async function record(tx: Tx, entry: AuditEntry, origin: Origin, now: Date): Promise<void> {
  await tx
    .insertInto('audit_entries')
    .values({
      company_id: entry.companyId,
      user_id: entry.userId ?? null,
      app_id: entry.appId ?? null,
      action: entry.action,
      subject: entry.subject,
      address: origin.address,
      request_id: origin.requestId,
      created_at: now,
    })
    .execute()
}

/** Writes an audit entry for a change by an author. A seed, whose author has no origin, leaves none. */
export async function recordChange(tx: Tx, author: Author, action: Action, subject: string, now: Date): Promise<void> {
  const { companyId, userId, appId, origin } = author
  if (origin === undefined) return
  await record(tx, { companyId, userId: userId || null, appId: appId || null, action, subject }, origin, now)
}

const KEPT_DAYS = 365

export function deleteOldAuditEntries(tx: Tx, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000)
  return deleteBatch(tx, 'audit_entries', 'created_at', sql`created_at < ${oldest}`)
}
