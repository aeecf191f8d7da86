import { recordChange } from '#history/audit/commands.ts'
import { findUser } from '#identity/users/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import type { BackupSettings } from '#platform/settings/operator-settings.ts'
import { nameAt } from '#program/backup-targets/retention.rules.ts'
import { backupUnderWay, tooManyBackups } from './errors.ts'
import { WRITE_BACKUP } from './jobs.ts'
import { countRunsSince } from './queries.ts'
import { daysBefore } from './rules.ts'
import type { RunState } from './state.ts'

/** Who started a backup is known for so long. */
const KEPT_DAYS = 90

/** Starts a backup, which the worker writes. The index lets one be under way. */
export async function startBackup(tx: Tx, author: Author, { perDay }: BackupSettings, now: Date): Promise<RunState> {
  const { companyId, userId } = author
  if ((await countRunsSince(tx, companyId, daysBefore(now, 1))) >= perDay) throw tooManyBackups(perDay)
  await tx
    .deleteFrom('backup_runs')
    .where('company_id', '=', companyId)
    .where('created_at', '<', daysBefore(now, KEPT_DAYS))
    .where('finished_at', 'is not', null)
    .execute()
  const requested_by = (userId == null ? undefined : await findUser(tx, userId))?.email ?? ''
  const run = await tx
    .insertInto('backup_runs')
    .values({ company_id: companyId, requested_by, name: nameAt(now), state: 'waiting', created_at: now })
    .onConflict((on) => on.column('company_id').where('finished_at', 'is', null).doNothing())
    .returningAll()
    .$narrowType<RunState>()
    .executeTakeFirst()
  if (run === undefined) throw backupUnderWay()
  await enqueue(tx, { kind: WRITE_BACKUP, companyId, data: { id: run.id } }, now)
  await recordChange(tx, author, 'backup started', run.name, now)
  return run
}

type Change = Partial<Pick<RunState, 'state' | 'done' | 'total' | 'problem' | 'finished_at'>>

/** Notes how a backup goes. One that has ended stays as it is. */
export async function noteRun(tx: Tx, companyId: number, id: number, change: Change): Promise<void> {
  await tx
    .updateTable('backup_runs')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute()
}
