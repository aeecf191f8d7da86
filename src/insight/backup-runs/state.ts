/** A backup that the worker makes by itself. */
export type ScheduledBackup = {
  due_at: Date
  name: string
  target: string
  state: 'waiting' | 'running' | 'done' | 'failed'
  problem: string | null
  bytes: number | null
  removed: number | null
  started_at: Date | null
  finished_at: Date | null
}

/** How the backups of the schedule went. */
export type BackupHealth = { last: ScheduledBackup | undefined; lastDone: ScheduledBackup | undefined }
