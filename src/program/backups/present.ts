import { wireTime } from '#platform/wire/times.ts'
import type { Backup, BackupRun } from './schema.ts'
import type { BackupFolder, RunState } from './state.ts'

export function presentBackup({
  name,
  createdAt,
  version,
  rows,
  files,
  bytes,
  checkedAt,
  isDamaged,
}: BackupFolder): Backup {
  return {
    name,
    created_at: wireTime(createdAt),
    version,
    rows,
    files,
    bytes: bytes ?? null,
    checked_at: checkedAt === undefined ? null : wireTime(checkedAt),
    damaged: isDamaged,
  }
}

export function presentRun(run: RunState): BackupRun {
  const { state, name, requested_by, done, total, problem } = run
  return {
    state,
    name,
    requested_by,
    done,
    total,
    problem,
    created_at: wireTime(run.created_at),
    finished_at: run.finished_at === null ? null : wireTime(run.finished_at),
  }
}
