import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupHealth } from '#insight/backup-runs/state.ts'
import { daysSince, isBackupOld, isFailing } from './rules.ts'
import type { Found } from './state.ts'

/** What is complete has this file, which is written last. */
const MANIFEST = 'backup.json'

/** Is the latest backup in the folder of the operator old, or is there none? Those of the schedule may be elsewhere. */
export async function readBackups(folder: string, { last, lastDone }: BackupHealth, now: Date): Promise<Found> {
  if (isFailing(last, now)) return { kind: 'backup_failed', count: 1 }
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const times = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory() && !entry.name.includes('.part-'))
      .map(async ({ name }) => (await stat(join(folder, name, MANIFEST)).catch(() => undefined))?.mtime),
  )
  const [latest] = [...times, lastDone?.finished_at]
    .filter((time) => time !== undefined && time !== null)
    .sort((one, other) => other.getTime() - one.getTime())
  if (latest === undefined) return { kind: 'backup_missing', count: 1 }
  return { kind: 'backup_old', count: isBackupOld(latest, now) ? daysSince(latest, now) : 0 }
}
