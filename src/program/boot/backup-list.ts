import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { BackupFolder } from '#program/backups/state.ts'
import { MANIFEST, Manifest, parseJson } from './backup-format.ts'

const LISTED_MAX = 100
/** A backup that is being written has this in the name of its folder. */
const UNFINISHED = '.part-'

/** What a check of a backup has found, in a file beside its parts. */
export const CHECKED = 'checked.json'
const CheckedFile = Type.Object({ checked_at: Type.String(), damaged: Type.Array(Type.String()) })

/** The backups in a folder, newest first. A folder that is not there yet has none. */
export async function listBackups(folder: string): Promise<BackupFolder[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isDirectory() && !entry.name.includes(UNFINISHED))
  const found = await Promise.all(names.map(({ name }) => readBackup(folder, name)))
  return found
    .filter((backup) => backup !== undefined)
    .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
    .slice(0, LISTED_MAX)
}

/** Other folders are none of its business. */
async function readBackup(folder: string, name: string): Promise<BackupFolder | undefined> {
  const text = await readFile(join(folder, name, MANIFEST), 'utf8').catch(() => undefined)
  const manifest = text === undefined ? undefined : parseJson(text)
  if (!Check(Manifest, manifest)) return undefined
  const checked = parseJson(await readFile(join(folder, name, CHECKED), 'utf8').catch(() => ''))
  const check = Check(CheckedFile, checked) ? checked : undefined
  return {
    name,
    createdAt: new Date(manifest.created_at),
    version: manifest.version,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: manifest.files.length,
    bytes: manifest.bytes,
    checkedAt: check === undefined ? undefined : new Date(check.checked_at),
    isDamaged: check !== undefined && check.damaged.length > 0,
  }
}
