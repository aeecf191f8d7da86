import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { removeData } from '#platform/db/embedded/embedded.ts'
import { isBucket, withoutSlashes } from '#platform/settings/backup-settings.ts'
import type { Config } from '#platform/settings/config.ts'
import { readIdentity } from '#program/backup-targets/sealing.files.ts'
import { fetchStored, INDEX, listStored, readIndex, StoredBackupError } from '#program/backup-targets/stored.files.ts'
import { openTarget, type Target } from '#program/backup-targets/targets.files.ts'
import { ERASED } from '#program/erasures/list.files.ts'
import type { OnProgress } from './backup.ts'
import { listBackups } from './backup-list.ts'
import { type Comparison, type RestoreSummary, restoreBackup } from './restore.ts'
import { listBeside } from './scheduled.ts'
import { StartError } from './start-error.ts'

type Options = { key?: string | undefined; erased?: readonly string[] | undefined; onProgress: OnProgress }

/** Where a backup is, and its name there. */
function placeOf(config: Config, place: string): { target: Target; name: string } {
  const whole = isBucket(place) ? withoutSlashes(place) : resolve(place)
  const at = whole.lastIndexOf('/')
  return { target: openTarget(whole.slice(0, at), config.backupAccess.s3), name: whole.slice(at + 1) }
}

/** A backup, or the latest of those at a place. */
async function latestAt(config: Config, place: string): Promise<string> {
  const whole = isBucket(place) ? withoutSlashes(place) : resolve(place)
  const { target, name } = placeOf(config, place)
  if ((await target.bytesOf(`${name}/${INDEX}`)) !== undefined) return whole
  const stored = await listStored(openTarget(whole, config.backupAccess.s3))
  const folders = isBucket(place) ? [] : await listBackups(whole)
  const [latest] = [...stored, ...folders].sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
  return latest === undefined ? whole : `${whole}/${latest.name}`
}

async function identityIn(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const identity = await readIdentity(file).catch(() => undefined)
  if (identity === undefined)
    throw new StartError(`The file ${file} has no private key (AGE-SECRET-KEY-…) that can be read.`)
  return identity
}

/** Gives a backup as a folder, wherever it is stored, and removes what it had to fetch for that. */
async function withFolder<Result>(
  config: Config,
  place: string,
  key: string | undefined,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const { target, name } = placeOf(config, place)
  if (!isBucket(place) && (await readIndex(target, name)) === undefined) return work(resolve(place))
  const identity = await identityIn(key)
  // Files are linked from there into the data folder, on the same disk.
  await mkdir(dirname(config.dataFolder), { recursive: true })
  const room = await mkdtemp(`${config.dataFolder}.fetched-`)
  try {
    await fetchStored(target, name, join(room, name), identity)
    await writeFile(join(room, ERASED), await listBeside(target).read())
    return await work(join(room, name))
  } catch (error) {
    throw error instanceof StoredBackupError ? new StartError(error.message) : error
  } finally {
    await rm(room, { recursive: true, force: true })
  }
}

/** restoreBackup from a folder, or from where backups are stored in parts. */
export function restoreFrom(config: Config, place: string, { key, ...options }: Options): Promise<RestoreSummary> {
  return withFolder(config, place, key, (folder) => restoreBackup(config, folder, options))
}

export type Drill = RestoreSummary & Comparison & { backup: string; seconds: number }

/**
 * Proves a backup, the latest if the place has several: fetches it, opens it, restores it into a database and a folder of its
 * own, and compares every table with the backup's own list. Nothing of the installation is touched, and nothing is left.
 */
export async function drill(
  config: Config,
  place: string,
  { key, onProgress }: Omit<Options, 'erased'>,
): Promise<Drill> {
  const start = performance.now()
  const backup = await latestAt(config, place)
  const room = await mkdtemp(join(tmpdir(), 'licet-drill-'))
  const own: Config = {
    ...config,
    dataFolder: join(room, 'data'),
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
  }
  let comparison: Comparison | undefined
  const onCompared = (found: Comparison) => {
    comparison = found
  }
  try {
    const summary = await withFolder(own, backup, key, (folder) =>
      restoreBackup(own, folder, { onProgress, onCompared }),
    )
    if (comparison === undefined) throw new Error('nothing was compared')
    if (comparison.differing.length > 0)
      throw new StartError(
        `The restored tables differ from the backup: ${comparison.differing.slice(0, 5).join(', ')}.`,
      )
    const seconds = Math.round((performance.now() - start) / 100) / 10
    return { ...summary, ...comparison, backup: basename(backup), seconds }
  } finally {
    await removeData(own.dataFolder)
    await rm(room, { recursive: true, force: true })
  }
}
