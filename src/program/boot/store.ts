import { constants, existsSync } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { refreshThemeSettings } from '#catalog/theme-settings/commands.ts'
import { readUnpresentedSettings } from '#catalog/theme-settings/queries.ts'
import { refreshCompany } from '#identity/companies/commands.ts'
import { readUnpresentedIds } from '#identity/companies/queries.ts'
import { refreshUser } from '#identity/users/commands.ts'
import { readUnpresentedUsers } from '#identity/users/queries.ts'
import { machineClock, nowInSeconds } from '#platform/clock.ts'

import { openPooled, PoolerError } from '#platform/db/connections/pooler.ts'
import { type Connection, type DatabaseHandle, type Db, openDatabase, SESSION_MARK } from '#platform/db/database.ts'
import { EmbeddedError, type EmbeddedServer, startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate, NewerSchemaError } from '#platform/db/migrations/migrate.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { errorCode } from '#platform/errors/error-code.ts'
import type { Vault } from '#platform/identity/vault.ts'
import type { Config } from '#platform/settings/config.ts'
import { useOwnThemes } from '#shop/themes/own-themes.files.ts'
import { whenInterrupted } from './interrupt.ts'
import { openVault } from './secret.ts'
import { StartError } from './start-error.ts'

const OLDEST_POSTGRES = 15

export type Store = DatabaseHandle & { server: EmbeddedServer | undefined; connection: Connection }

/** A store that is ready for work. */
export type MigratedStore = Store & { vault: Vault }

/** The store of a service, with the connections that keep their session. */
export type ServiceStore = MigratedStore & {
  sessions: DatabaseHandle['pool']
  /** Absent: there is no standby. */
  standby: DatabaseHandle | undefined
}

/** Stands in the data folder while a restore fills it. */
export const restoreMark = (dataFolder: string) => join(dataFolder, '.restoring')

/** Opens the database of the settings, and starts the embedded one if it is not running. */
export async function openStore(config: Config, onError?: (error: Error) => void): Promise<Store> {
  await checkDataFolder(config.dataFolder)
  if (existsSync(restoreMark(config.dataFolder)))
    throw new StartError(
      `A restore into ${config.dataFolder} was interrupted: remove this folder${config.databaseUrl === undefined ? '' : ' and empty the database'}, and restore again.`,
    )
  const server = config.databaseUrl === undefined ? await startServer(config.dataFolder) : undefined
  const url = config.databaseDirectUrl ?? config.databaseUrl
  const connection: Connection = server ?? { connectionString: url ?? '' }
  const name = config.databaseDirectUrl === undefined ? 'licet' : 'licet direct'
  const handle = openDatabase(connection, { poolMax: config.databasePool, onError, name })
  try {
    await checkServer(handle, url)
  } catch (error) {
    await handle.close()
    await server?.stop()
    throw error
  }
  return { ...handle, server, connection }
}

/** openStore, then migrates the schema and opens the vault. */
export async function openMigratedStore(config: Config, onError?: (error: Error) => void): Promise<MigratedStore> {
  const store = await openStore(config, onError)
  try {
    await upgrade(store.db)
    useOwnThemes(config.dataFolder)
    return { ...store, vault: await openVault(config, store.db) }
  } catch (error) {
    await closeStore(store)
    throw error instanceof NewerSchemaError ? new StartError(error.message) : error
  }
}

/**
 * Migrates the schema, presents the companies, shops and users that a migration could not, and adds the data that comes
 * with the service: general licenses and currency rates. Returns the applied migrations.
 */
export async function upgrade(db: Db): Promise<string[]> {
  const applied = await migrate(db)
  for (const id of await readUnpresentedIds(db)) await inTransaction(db, (tx) => refreshCompany(tx, id))
  for (const { company_id, id } of await readUnpresentedUsers(db))
    await inTransaction(db, (tx) => refreshUser(tx, company_id, id))
  for (const { company_id, id } of await readUnpresentedSettings(db))
    await inTransaction(db, (tx) => refreshThemeSettings(tx, company_id, [id]))
  // Imported here, because a start loads only what the database needs before the database.
  const [{ addStarterLicenses }, { addSnapshot }] = await Promise.all([
    import('#catalog/licenses/commands.ts'),
    import('#catalog/currency-rates/commands.ts'),
  ])
  await inTransaction(db, async (tx) => {
    await addStarterLicenses(tx, nowInSeconds(machineClock))
    await addSnapshot(tx)
  })
  return applied
}

/** openMigratedStore for a service, with a standby if there is one. */
export async function openServiceStore(config: Config, onError: (error: Error) => void): Promise<ServiceStore> {
  const store = await openPooledStore(config, onError)
  const { databaseStandbyUrl: connectionString, databasePool: poolMax } = config
  // Nothing is connected yet: a standby that is away holds no start up.
  const standby = connectionString === undefined ? undefined : openDatabase({ connectionString }, { poolMax, onError })
  const close = async () => void (await Promise.all([standby?.close(), store.close()]))
  return { ...store, standby, close }
}

/**
 * openMigratedStore for a service. If DATABASE_URL is that of a pooler, the service works through it, and only `sessions`
 * are direct connections.
 */
async function openPooledStore(
  config: Config,
  onError: (error: Error) => void,
): Promise<Omit<ServiceStore, 'standby'>> {
  const store = await openMigratedStore(config, onError)
  const { databaseUrl, databaseDirectUrl, databasePool: poolMax } = config
  if (databaseUrl === undefined || databaseDirectUrl === undefined) return { ...store, sessions: store.pool }
  try {
    const pooled = await openPooled({ connectionString: databaseUrl }, { poolMax, onError })
    const close = async () => void (await Promise.all([pooled.close(), store.close()]))
    return { ...store, ...pooled, sessions: store.pool, close }
  } catch (error) {
    await closeStore(store)
    throw error instanceof PoolerError ? new StartError(error.message) : unusable(databaseUrl, error)
  }
}

/** Runs a task with the migrated database of the settings, and closes it afterwards. */
export async function withDatabase<Result>(
  config: Config,
  work: (db: Db, vault: Vault) => Promise<Result>,
): Promise<Result> {
  const store = await openMigratedStore(config)
  try {
    return await work(store.db, store.vault)
  } finally {
    await closeStore(store)
  }
}

/** Closes the pool, and stops the embedded server if no other process uses it. */
export async function closeStore(store: Store): Promise<void> {
  await store.close()
  await store.server?.stop()
}

async function startServer(dataFolder: string): Promise<EmbeddedServer> {
  const starting = startEmbedded(dataFolder)
  // Ctrl-C during a command: uncommitted changes are rolled back, and the embedded server is stopped.
  whenInterrupted(async () => (await starting.catch(() => undefined))?.stop())
  try {
    return await starting
  } catch (error) {
    throw error instanceof EmbeddedError ? new StartError(error.message) : error
  }
}

async function checkDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(
      `The data folder ${folder} can't be written to (${errorCode(error)}): set LICET_DATA to one that can.`,
    )
  }
}

function unusable(url: string | undefined, error: unknown): StartError {
  const where = url === undefined ? 'The embedded database' : `The database at ${new URL(url).host}`
  const what = error instanceof Error && error.message !== '' ? error.message : errorCode(error)
  return new StartError(`${where} can't be used: ${what}.`)
}

const POOLER =
  'is a pooler such as PgBouncer: set DATABASE_DIRECT_URL to the address of PostgreSQL itself, see "Behind PgBouncer" in docs/operating.md.'

async function checkServer(handle: DatabaseHandle, url: string | undefined): Promise<void> {
  const host = url === undefined ? '' : new URL(url).host
  const { rows } = await sql<{ version: number; isSession: boolean }>`select
      current_setting('server_version_num')::int / 10000 as version,
      current_setting(${sql.lit(SESSION_MARK)}, true) is not null as "isSession"`
    .execute(handle.db)
    .catch((error: Error) => {
      // PgBouncer refuses what it cannot pass on.
      if (/unsupported startup parameter/.test(error.message)) throw new StartError(`The database at ${host} ${POOLER}`)
      throw unusable(url, error)
    })
  const { version = 0, isSession = false } = rows[0] ?? {}
  if (!isSession) throw new StartError(`The database at ${host} ${POOLER}`)
  if (version < OLDEST_POSTGRES)
    throw new StartError(`The database is PostgreSQL ${version}; licet needs ${OLDEST_POSTGRES} or later.`)
}
