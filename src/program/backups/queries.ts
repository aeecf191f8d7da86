import type { Db } from '#platform/db/database.ts'
import type { RunState } from './state.ts'

/** Every read of a company's runs starts here. */
function runsOf(db: Db, companyId: number) {
  return db.selectFrom('backup_runs').where('company_id', '=', companyId)
}

export async function findLastRun(db: Db, companyId: number): Promise<RunState | undefined> {
  return runsOf(db, companyId).selectAll().$narrowType<RunState>().orderBy('id', 'desc').limit(1).executeTakeFirst()
}

export async function findRun(db: Db, companyId: number, id: number): Promise<RunState | undefined> {
  return runsOf(db, companyId).selectAll().$narrowType<RunState>().where('id', '=', id).executeTakeFirst()
}

export async function countRunsSince(db: Db, companyId: number, since: Date): Promise<number> {
  const { count } = await runsOf(db, companyId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}
