import type { Db, Tx } from '#platform/db/database.ts'
import type { DeletionState } from './state.ts'

/** Every read for a company starts here. */
function deletionsOf(db: Db, companyId: number) {
  return db.selectFrom('company_deletions').selectAll().where('company_id', '=', companyId)
}

export function findDeletion(db: Db, companyId: number): Promise<DeletionState | undefined> {
  return deletionsOf(db, companyId).executeTakeFirst()
}

export function lockDeletion(tx: Tx, companyId: number): Promise<DeletionState | undefined> {
  return deletionsOf(tx, companyId).forUpdate().executeTakeFirst()
}

/** Locks a deletion for a piece of work; undefined if another process is at it. */
export function takeDeletion(tx: Tx, companyId: number): Promise<DeletionState | undefined> {
  return deletionsOf(tx, companyId).forUpdate().skipLocked().executeTakeFirst()
}

/** The companies of which something has to be deleted now, longest due first. */
export async function readDueCompanies(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('companies')
    .innerJoin('company_deletions as deletion', (join) => join.onRef('deletion.company_id', '=', 'companies.id'))
    .select('deletion.company_id')
    .where('deletion.ended_at', 'is', null)
    .where('deletion.due_at', '<=', now)
    .where((where) => where.or([where('deletion.deleted_at', 'is', null), where('deletion.kept_until', '<=', now)]))
    .orderBy('deletion.due_at')
    .execute()
  return rows.map(({ company_id }) => company_id)
}
