import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { readErasures } from '#people/customers/erasures/commands.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import type { ErasureList, ScheduledBackups } from '#platform/resource.ts'
import { isBucket, withoutSlashes } from '#platform/settings/backup-settings.ts'
import type { Config } from '#platform/settings/config.ts'
import { lastTime, nameAt, outdated } from '#program/backup-targets/retention.rules.ts'
import { type Index, listStored, removeStored, store } from '#program/backup-targets/stored.files.ts'
import { openTarget, type Target } from '#program/backup-targets/targets.files.ts'
import { addErasures, ERASED, listIn } from '#program/erasures/list.files.ts'
import { VERSION } from '#program/version.ts'
import {
  type BackupSummary,
  copyInstallation,
  createBackupWriter,
  type OnProgress,
  type OpenStore,
  writeBackup,
} from './backup.ts'
import { listBackups } from './backup-list.ts'
import { StartError } from './start-error.ts'
import { closeStore, openStore } from './store.ts'

/** Where a backup is collected before it is stored elsewhere. The name begins with a dot, so that backups leave it out. */
const STAGES = /^\.backup-[\w-]+$/

/** The list of erasures beside the backups of a target. */
export function listBeside(target: Target): ErasureList {
  return {
    name: `${target.name}/${ERASED}`,
    async read() {
      const body = await target.get(ERASED)
      return body === undefined ? '' : text(body)
    },
    write: (lines) => target.put(ERASED, Readable.from([lines])),
  }
}

type Source = Pick<Config, 'dataFolder' | 'secret' | 'backupAccess'>
/** Writes a backup to a folder as it is, or stores it in parts: in a bucket, or encrypted. */
export async function writeBackupTo(
  config: Config,
  place: string,
  options: { withSecret: boolean; onProgress: OnProgress },
): Promise<BackupSummary> {
  if (!isBucket(place) && config.backupAccess.recipient === undefined) return writeBackup(config, place, options)
  const whole = isBucket(place) ? withoutSlashes(place) : resolve(place)
  const at = whole.lastIndexOf('/')
  const [target, name] = [openTarget(whole.slice(0, at), config.backupAccess.s3), whole.slice(at + 1)]
  if ((await target.list(name)).length > 0) throw new StartError(`${place} exists already: name another place.`)
  const opened = await openStore(config)
  try {
    const { index: _index, ...summary } = await storeBackup(config, opened, target, { name, ...options })
    return summary
  } finally {
    await closeStore(opened)
  }
}

type Wanted = { name: string; withSecret: boolean; onProgress: OnProgress }

/**
 * Collects a backup in the data folder, which takes room for the tables alone, and stores it in a target, encrypted if there is a
 * public key.
 */
export async function storeBackup(
  config: Source,
  opened: OpenStore,
  target: Target,
  { name, ...options }: Wanted,
): Promise<BackupSummary & { index: Index }> {
  const stage = join(config.dataFolder, `.backup-${randomToken(6)}`)
  try {
    const folder = join(stage, name)
    const summary = await copyInstallation(config, opened, folder, { ...options, isStage: true })
    const { recipient } = config.backupAccess
    const index = await store(target, { folder, name, version: VERSION, recipient, createdAt: new Date() })
    await addErasures(listBeside(target), await readErasures(opened.db))
    return { ...summary, folder: `${target.name}/${name}`, index }
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

/** What workers that were killed have left. One backup of the schedule is written at a time. */
async function removeStages(dataFolder: string): Promise<void> {
  const left = (await readdir(dataFolder)).filter((name) => STAGES.test(name))
  for (const name of left) await rm(join(dataFolder, name), { recursive: true, force: true })
}

const sizeOf = ({ parts }: Index) => parts.reduce((sum, { bytes }) => sum + bytes, 0)

/** The backups that the worker makes by itself. Absent: the operator has named no target. */
export function createScheduledBackups(
  config: Source & Pick<Config, 'schedule'>,
  opened: OpenStore,
): ScheduledBackups | undefined {
  const { schedule, backupAccess, dataFolder } = config
  if (schedule === undefined) return undefined
  const { target: place, times, keep } = schedule
  const isPlain = !isBucket(place) && backupAccess.recipient === undefined

  /** In a folder of the machine, without a key: as `licet backup` writes it, with links to the files. */
  async function runPlain(name: string): Promise<{ bytes: number; removed: number }> {
    await createBackupWriter({ ...config, backups: { folder: place } }, opened)?.write(name, () => {})
    const backups = (await listBackups(place)).filter(({ isDamaged }) => !isDamaged)
    const gone = outdated(backups, keep).filter(isOurs)
    for (const old of gone) await rm(join(place, old), { recursive: true, force: true })
    return { bytes: backups.find((backup) => backup.name === name)?.bytes ?? 0, removed: gone.length }
  }

  async function runStored(name: string): Promise<{ bytes: number; removed: number }> {
    const target = openTarget(place, backupAccess.s3)
    await removeStages(dataFolder)
    const withSecret = backupAccess.recipient !== undefined
    const { index } = await storeBackup(config, opened, target, { name, withSecret, onProgress: () => {} })
    const gone = outdated(await listStored(target), keep).filter(isOurs)
    await removeStored(target, gone)
    return { bytes: sizeOf(index), removed: gone.length }
  }

  return {
    target: place,
    lastTime: (now) => lastTime(times, now),
    nameAt,
    run: isPlain ? runPlain : runStored,
  }
}

/** What somebody has named otherwise is kept: it was made for a reason. */
const isOurs = (name: string) => /^licet-backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/.test(name)

/** The lists of erasures outside of the database. */
export function erasureListsOf({
  dataFolder,
  backups,
  schedule,
  backupAccess,
}: Pick<Config, 'dataFolder' | 'backups' | 'schedule' | 'backupAccess'>): ErasureList[] {
  const beside = schedule === undefined ? [] : [listBeside(openTarget(schedule.target, backupAccess.s3))]
  const shown = backups === undefined || backups.folder === schedule?.target ? [] : [listIn(backups.folder)]
  return [listIn(dataFolder), ...shown, ...beside]
}
