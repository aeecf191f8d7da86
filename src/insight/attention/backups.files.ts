import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { daysSince, isBackupOld } from './rules.ts'
import type { Found } from './state.ts'

/** What is complete has this file, which is written last. */
const MANIFEST = 'backup.json'

/** Is the latest backup in the folder of the operator old, or is there none? */
export async function readBackups(folder: string, now: Date): Promise<Found> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const times = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory() && !entry.name.includes('.part-'))
      .map(async ({ name }) => (await stat(join(folder, name, MANIFEST)).catch(() => undefined))?.mtime),
  )
  const latest = times.filter((time) => time !== undefined).sort((one, other) => other.getTime() - one.getTime())[0]
  if (latest === undefined) return { kind: 'backup_missing', count: 1 }
  return { kind: 'backup_old', count: isBackupOld(latest, now) ? daysSince(latest, now) : 0 }
}
