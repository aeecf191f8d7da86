import { constants, existsSync } from 'node:fs'
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { readErasures } from '#people/customers/erasures/commands.ts'
import { readSchemaState } from '#platform/db/migrations/migrate.ts'
import { copyTables } from '#platform/db/table-copies.ts'
import { errorCode } from '#platform/errors/error-code.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import type { BackupWriter } from '#platform/resource.ts'
import type { Config } from '#platform/settings/config.ts'
import type { BackupSettings } from '#platform/settings/operator-settings.ts'
import { addErasures, listIn } from '#program/erasures/list.files.ts'
import { VERSION } from '#program/version.ts'
import { findDamage, readManifest } from './backup-check.ts'
import { DATABASE, FILES, FORMAT, MANIFEST, type Manifest, MODE, SECRET } from './backup-format.ts'
import { CHECKED } from './backup-list.ts'
import { secretFile } from './secret.ts'
import { StartError } from './start-error.ts'
import { closeStore, openStore, type Store } from './store.ts'

/** What the data folder contains beside files: the embedded database with its log, the secret, and the list of erasures. */
const NO_FILES = /^(postgres|secret|erased)(\..*)?$/
/** A file without a room on the same disk, or on a disk that has no links, is copied. */
const NO_LINK = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'ENOSYS'])

export type BackupSummary = { folder: string; tables: number; rows: number; files: number; has_secret: boolean }
export type OnProgress = (done: number, total: number) => void

/**
 * Writes a backup of database, files and secret to a new folder, as they were at one moment. The service can run
 * meanwhile. The folder gets its name when the backup is complete.
 */
export async function writeBackup(
  config: Config,
  target: string,
  options: { withSecret: boolean; onProgress: OnProgress },
): Promise<BackupSummary> {
  checkTarget(config, resolve(target))
  const store = await openStore(config)
  try {
    return await copyInstallation(config, store, target, options)
  } finally {
    await closeStore(store)
  }
}

/** What a backup is made of. */
type Installation = Pick<Config, 'dataFolder' | 'secret'>
export type OpenStore = Pick<Store, 'db' | 'connection'>

type Copying = {
  withSecret: boolean
  onProgress: OnProgress
  /** It is collected in the data folder and stored elsewhere. */
  isStage?: boolean
}

export async function copyInstallation(
  config: Installation,
  store: OpenStore,
  target: string,
  { withSecret, onProgress, isStage = false }: Copying,
): Promise<BackupSummary> {
  const folder = resolve(target)
  const check = () => (isStage ? undefined : checkTarget(config, folder))
  check()
  // The random name keeps two backups apart, and no folder that exists is touched.
  const unfinished = `${folder}.part-${randomToken(6)}`
  try {
    if ((await readSchemaState(store.db)).applied.length === 0)
      throw new StartError('The database is empty: there is nothing to back up.')
    await makeFolder(dirname(folder))
    await makeFolder(unfinished)
    await makeFolder(join(unfinished, DATABASE))
    const has_secret = withSecret && (await copySecret(config, join(unfinished, SECRET)))
    const parts = await writeParts(config, store, unfinished, onProgress)
    const manifest = { ...parts, has_secret, bytes: await sizeOf(unfinished) }
    await writeFile(join(unfinished, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, {
      mode: MODE.file,
      flush: true,
    })
    check()
    await nameFolder(unfinished, folder)
    // Beside the backup, because it is about older ones, too.
    if (!isStage) await addErasures(listIn(dirname(folder)), await readErasures(store.db))
    return summary(folder, manifest)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

/** The size of everything in a folder. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  let bytes = 0
  for (const entry of entries) if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}

/**
 * Writes backups of a running service into the folder of the operator, without the secret, which users have no business with, and
 * reads each again. Absent: the operator lets users make none.
 */
export function createBackupWriter(
  config: Installation & { backups: Pick<BackupSettings, 'folder'> | undefined },
  store: OpenStore,
): BackupWriter | undefined {
  const { backups } = config
  if (backups === undefined) return undefined
  return {
    async write(name, onProgress) {
      const target = join(backups.folder, name)
      await copyInstallation(config, store, target, { withSecret: false, onProgress })
      const damaged = await findDamage(target, await readManifest(target))
      const checked = { checked_at: new Date().toISOString(), damaged: damaged.slice(0, 100) }
      await writeFile(join(target, CHECKED), `${JSON.stringify(checked)}\n`, { mode: MODE.file, flush: true })
      if (damaged.length > 0) throw new StartError(`The backup is damaged: ${damaged.slice(0, 5).join(', ')}.`)
    },
  }
}

const existsAlready = (folder: string) => new StartError(`${folder} exists already: name a folder that does not.`)

/** Gives the folder its name. Another backup may have taken the name since it was checked. */
async function nameFolder(unfinished: string, folder: string): Promise<void> {
  try {
    await rename(unfinished, folder)
  } catch (error) {
    const code = errorCode(error)
    throw code === 'ENOTEMPTY' || code === 'EEXIST' ? existsAlready(folder) : error
  }
}

function checkTarget(config: Pick<Config, 'dataFolder'>, folder: string): void {
  if (existsSync(folder)) throw existsAlready(folder)
  const inside = relative(config.dataFolder, folder)
  if (!inside.startsWith('..') && !isAbsolute(inside))
    throw new StartError(`${folder} lies in the data folder, which is backed up itself: name a folder outside of it.`)
}

/** Makes one folder, not its parents: making them never ends below /proc. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: MODE.folder })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST')
      throw new StartError(`The folder ${folder} can't be created (${errorCode(error)}): name another one.`)
  }
}

async function writeParts(
  config: Installation,
  store: OpenStore,
  folder: string,
  onProgress: OnProgress,
): Promise<Omit<Manifest, 'has_secret' | 'bytes'>> {
  const files: string[] = []
  const copy = await copyTables(store.connection, join(folder, DATABASE), {
    onTable: onProgress,
    // Files are only added and deleted, never changed, and none that the copy needs is deleted while it is made.
    meanwhile: async () => {
      const found = await listFiles(config.dataFolder)
      files.push(...(await copyFiles(config.dataFolder, join(folder, FILES), found)))
    },
  })
  const created_at = new Date().toISOString()
  return { format: FORMAT, version: VERSION, created_at, ...copy, files }
}

/** A secret that is a setting of the operator stays with the operator. */
async function copySecret(config: Installation, target: string): Promise<boolean> {
  const source = secretFile(config.dataFolder)
  if (config.secret !== undefined || !existsSync(source)) return false
  await writeFile(target, await readFile(source), { mode: MODE.file, flush: true })
  return true
}

/** The files of the service, relative to the data folder. Unfinished ones begin with a dot. */
export async function listFiles(dataFolder: string): Promise<string[]> {
  const top = await readdir(dataFolder, { withFileTypes: true })
  const lists = top
    .filter(({ name }) => !NO_FILES.test(name) && !name.startsWith('.'))
    .map(async (entry) => {
      if (!entry.isDirectory()) return entry.isFile() ? [entry.name] : []
      const inside = await readdir(join(dataFolder, entry.name), { withFileTypes: true, recursive: true })
      return inside
        .filter((file) => file.isFile() && !file.name.startsWith('.'))
        .map((file) => relative(dataFolder, join(file.parentPath, file.name)))
    })
  return (await Promise.all(lists)).flat().sort()
}

/**
 * Links the files where it can, which takes no room: files are never changed, only replaced. Returns those that were still
 * there: the rows of a file that goes meanwhile have gone before.
 */
export async function copyFiles(from: string, to: string, files: readonly string[]): Promise<string[]> {
  const copied: string[] = []
  const folders = new Set(files.map((file) => dirname(join(to, file))))
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: MODE.folder })
  for (const file of files) {
    const [source, target] = [join(from, file), join(to, file)]
    try {
      await link(source, target).catch((error) => {
        if (!NO_LINK.has(errorCode(error) ?? '')) throw error
        return copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      })
      copied.push(file)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || existsSync(source)) throw error
    }
  }
  return copied
}

export const summary = (folder: string, { tables, files, has_secret }: Manifest): BackupSummary => ({
  folder,
  tables: tables.length,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  files: files.length,
  has_secret,
})
