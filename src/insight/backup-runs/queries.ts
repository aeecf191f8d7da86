import type { Db } from '#platform/db/database.ts'
import type { BackupHealth, ScheduledBackup } from './state.ts'

function runs(db: Db) {
  return db
    .selectFrom('scheduled_backups')
    .selectAll()
    .$narrowType<ScheduledBackup>()
    .orderBy('due_at', 'desc')
    .limit(1)
}

export async function findRun(db: Db, due: Date): Promise<ScheduledBackup | undefined> {
  return runs(db).where('due_at', '=', due).executeTakeFirst()
}

export async function readBackupHealth(db: Db): Promise<BackupHealth> {
  const [last, lastDone] = await Promise.all([
    runs(db).executeTakeFirst(),
    runs(db).where('state', '=', 'done').executeTakeFirst(),
  ])
  return { last, lastDone }
}
