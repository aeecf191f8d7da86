import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { Check } from 'typebox/value'
import { findUnknownMigrations } from '#platform/db/migrations/migrate.ts'
import { findDamagedCopies } from '#platform/db/table-copies.ts'
import { isFileKey } from '#platform/files/files.ts'
import { DATABASE, FILES, FORMAT, MANIFEST, Manifest, parseJson } from './backup-format.ts'
import { StartError } from './start-error.ts'

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new StartError(`${folder} is not a complete backup: it has no ${MANIFEST}.`)
  })
  const manifest = parseJson(text)
  if (!Check(Manifest, manifest) || !manifest.files.every(isFileKey))
    throw new StartError(`The backup is damaged: ${MANIFEST}.`)
  const unknown = await findUnknownMigrations(manifest.migrations)
  if (manifest.format > FORMAT || unknown.length > 0)
    throw new StartError(
      `The backup was made by licet ${manifest.version}, which is newer: restore it with that version.`,
    )
  return manifest
}

/** What of a backup is missing or damaged. */
export async function findDamage(folder: string, manifest: Manifest): Promise<string[]> {
  return [
    ...(await findDamagedCopies(join(folder, DATABASE), manifest)),
    ...(await findDamagedFiles(join(folder, FILES), manifest)),
  ]
}

/** Files that are missing, or that lead somewhere else by a symbolic link. */
async function findDamagedFiles(folder: string, { files }: Manifest): Promise<string[]> {
  if (files.length === 0) return []
  const root = await realpath(folder).catch(() => '')
  const found = await Promise.all(files.map((file) => realpath(join(folder, file)).catch(() => '')))
  return files.filter((file, index) => root === '' || found[index] !== join(root, file))
}
