import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Erasure } from '#people/customers/erasures/commands.ts'
import { createClock, machineClock } from '#platform/clock.ts'
import { migrate } from '#platform/db/migrations/migrate.ts'
import { copyTables, dropTables, isWithoutTables, loadTables } from '#platform/db/table-copies.ts'
import { errorCode } from '#platform/errors/error-code.ts'
import type { Config } from '#platform/settings/config.ts'
import { listIn, parseErasures, readOwnList } from '#program/erasures/list.files.ts'
import { type BackupSummary, copyFiles, listFiles, type OnProgress, summary } from './backup.ts'
import { findDamage, readManifest } from './backup-check.ts'
import { DATABASE, FILES, type Manifest, MODE, SECRET } from './backup-format.ts'
import { openFiles } from './files.ts'
import { openVault, secretFile } from './secret.ts'
import { StartError } from './start-error.ts'
import { closeStore, openStore, restoreMark, type Store, upgrade } from './store.ts'

export type RestoreOptions = {
  onProgress: OnProgress
  /** Lists of erasures that are elsewhere than beside the backup and in the data folder. */
  erased?: readonly string[] | undefined
  /** Has the tables compared with the backup's own list before they are brought up to date. */
  onCompared?: ((found: Comparison) => void) | undefined
}

/** How the restored tables compare with the backup. */
export type Comparison = { compared_tables: number; compared_rows: number; differing: string[] }

export type RestoreSummary = BackupSummary & {
  /** How many customers the backup had although they were erased since. */
  erased_again: number
}

/**
 * Fills an empty installation from a backup: database, files and secret. Whom companies have erased since is erased again. Nothing is overwritten; if anything fails, the
 * database is empty again.
 */
export async function restoreBackup(
  config: Config,
  source: string,
  { onProgress, erased = [], onCompared }: RestoreOptions,
): Promise<RestoreSummary> {
  const folder = resolve(source)
  const erasures = await readErasuresFor(config, folder, erased)
  const manifest = await readManifest(folder)
  const damaged = await findDamage(folder, manifest)
  if (damaged.length > 0) throw new StartError(`The backup is damaged: ${damaged.slice(0, 5).join(', ')}.`)
  const store = await openStore(config)
  try {
    await checkEmpty(config, store)
    const erased_again = await restoreParts(config, store, folder, { manifest, erasures, onCompared }, onProgress)
    return { ...summary(folder, manifest), erased_again }
  } finally {
    await closeStore(store)
  }
}

/** Whom companies have erased, by everything that knows of it: what lies beside the backup knows of those after it, too. */
async function readErasuresFor(config: Config, folder: string, files: readonly string[]): Promise<Erasure[]> {
  const lists = [listIn(dirname(folder)), listIn(config.dataFolder)]
  const known = await Promise.all(lists.map(async (list) => parseErasures(await list.read())))
  const own = await Promise.all(
    files.map((file) =>
      readOwnList(file).catch((error) => {
        throw new StartError(`The list of erasures ${file} can't be read (${errorCode(error)}).`)
      }),
    ),
  )
  return [...known, ...own].flat()
}

async function replay(config: Config, db: Store['db'], erasures: readonly Erasure[]): Promise<number> {
  if (erasures.length === 0) return 0
  const { replayErasures } = await import('#program/erasures/replay.worker.ts')
  return replayErasures({ db, files: openFiles(config), clock: createClock(machineClock) }, erasures)
}

async function checkEmpty(config: Config, { db }: Store): Promise<void> {
  if (!(await isWithoutTables(db)))
    throw new StartError(
      config.databaseUrl === undefined
        ? `There is a shop in ${config.dataFolder} already: set LICET_DATA to a new folder, or move this one away.`
        : 'The database is not empty: set DATABASE_URL to an empty one.',
    )
  const files = await listFiles(config.dataFolder)
  if (files.length > 0 || existsSync(secretFile(config.dataFolder)))
    throw new StartError(`There are files in ${config.dataFolder} already: set LICET_DATA to a new folder.`)
}

type Parts = { manifest: Manifest; erasures: readonly Erasure[]; onCompared: RestoreOptions['onCompared'] }

async function restoreParts(
  config: Config,
  { db, connection }: Store,
  folder: string,
  { manifest, erasures, onCompared }: Parts,
  onProgress: OnProgress,
): Promise<number> {
  await writeFile(restoreMark(config.dataFolder), '')
  try {
    await migrate(db, manifest.migrations.at(-1))
    await loadTables(connection, join(folder, DATABASE), manifest, onProgress)
    if (onCompared !== undefined) onCompared(await compareTables(config, connection, manifest))
    if (manifest.has_secret && config.secret === undefined)
      await writeFile(secretFile(config.dataFolder), await readFile(join(folder, SECRET)), {
        mode: MODE.file,
        flag: 'wx',
        flush: true,
      })
    const restored = await copyFiles(join(folder, FILES), config.dataFolder, manifest.files)
    if (restored.length < manifest.files.length)
      throw new StartError('The backup has lost files while it was restored.')
    await upgrade(db)
    await openVault(config, db)
    return await replay(config, db, erasures)
  } catch (error) {
    await dropTables(db)
    await removeRestored(config, manifest)
    throw error
  } finally {
    await rm(restoreMark(config.dataFolder), { force: true })
  }
}

/** Reads all tables again, in the order in which they were filled, and compares their hashes. */
async function compareTables(config: Config, connection: Store['connection'], manifest: Manifest): Promise<Comparison> {
  const folder = await mkdtemp(`${config.dataFolder}.compared-`)
  try {
    const { tables } = await copyTables(connection, folder, { meanwhile: async () => {}, onTable: () => {} })
    const restored = new Map(tables.map((table) => [table.name, table]))
    const differing = manifest.tables
      .filter(({ name, rows, sha256 }) => restored.get(name)?.rows !== rows || restored.get(name)?.sha256 !== sha256)
      .map(({ name }) => name)
    const compared_rows = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
    return { compared_tables: manifest.tables.length, compared_rows, differing }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The data folder was without files before, so all of them came from the backup. */
async function removeRestored(config: Config, { files, has_secret }: Manifest): Promise<void> {
  for (const file of files) await rm(join(config.dataFolder, file), { force: true })
  if (has_secret && config.secret === undefined) await rm(secretFile(config.dataFolder), { force: true })
}
