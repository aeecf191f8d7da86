import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { type Db, LONG_STATEMENT, WITHOUT_LIMIT } from '../database.ts'
import type { DB } from '../types.gen.ts'
import { batchesOf, findUnbearable, isConcurrent, statementsOf } from './names.ts'

const FOLDER = new URL('../../../../migrations/', import.meta.url)

/** Whoever migrates has this lock of its session. */
const MIGRATION_LOCK = 5_493_176
const LOCK_POLL_MS = 200

/** The database was migrated by a newer program, and this one cannot run on it. */
export class NewerSchemaError extends Error {}

export async function migrationNames(folder = FOLDER): Promise<string[]> {
  const files = await readdir(folder)
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort()
}

const readMigration = (name: string, folder: URL) => readFile(new URL(`${name}.sql`, folder), 'utf8')

async function readMigrations(folder: URL): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {}
  for (const name of await migrationNames(folder)) {
    const text = await readMigration(name, folder)
    // A large table may take long; each migration limits its own waiting for locks.
    migrations[name] = {
      up: async (db) => void (await sql.raw(`${WITHOUT_LIMIT}\n${text}`).execute(db)),
    }
  }
  return migrations
}

async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{
    there: boolean
  }>`select to_regclass('kysely_migration') is not null as there`.execute(db)
  if (tables[0]?.there !== true) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}

/** The migrations that this program does not know: those of a newer one. */
export async function findUnknownMigrations(names: readonly string[]): Promise<string[]> {
  const known = new Set(await migrationNames())
  return names.filter((name) => !known.has(name))
}

export type SchemaState = {
  applied: string[]
  missing: string[]
  /** What newer programs have added. This one runs on it. */
  newer: string[]
  /** What newer programs have changed so that this one does not run on it. */
  unbearable: string[]
}

/** Compares the database with the migrations that this program knows. */
export async function readSchemaState(db: Db, folder?: URL): Promise<SchemaState> {
  const [known, applied] = await Promise.all([migrationNames(folder), appliedMigrations(db)])
  const missing = known.filter((name) => !applied.includes(name))
  const unknown = applied.filter((name) => !known.includes(name))
  // Newer programs apply what older ones know first.
  const unbearable = missing.length > 0 ? unknown : findUnbearable(unknown, known)
  return { applied, missing, newer: unknown.filter((name) => !unbearable.includes(name)), unbearable }
}

/**
 * Brings the schema up to date, or to the state after one of the migrations, and returns what was applied. A newer schema is
 * left as it is if this program can run on it. Two processes at once take turns.
 */
export async function migrate(db: Db, last?: string, folder: URL = FOLDER): Promise<string[]> {
  if ((await findMissing(db, folder)).length === 0) return []
  return db.connection().execute((connection) =>
    inTurn(connection, async () => {
      const missing = await findMissing(connection, folder)
      const wanted = missing.filter((name) => last === undefined || name <= last)
      for (const batch of batchesOf(wanted)) await applyBatch(connection, batch, folder)
      return wanted
    }),
  )
}

async function findMissing(db: Db, folder: URL): Promise<string[]> {
  const { missing, unbearable } = await readSchemaState(db, folder)
  if (unbearable.length > 0)
    throw new NewerSchemaError(
      `The database was made by a newer version of licet (it has ${unbearable.join(', ')}). Start that version, or restore a backup.`,
    )
  return missing
}

/**
 * The lock is asked for again and again. Whoever waited for it in a statement would itself be waited for by an index that is
 * created concurrently.
 */
async function inTurn<Result>(connection: Db, work: () => Promise<Result>): Promise<Result> {
  const lock = sql`select 1 where pg_try_advisory_lock(${sql.lit(MIGRATION_LOCK)})`
  while ((await lock.execute(connection)).rows.length === 0) await sleep(LOCK_POLL_MS)
  try {
    return await work()
  } finally {
    // A connection that has broken has no lock any more, and its error is the one to report.
    await sql`select pg_advisory_unlock(${sql.lit(MIGRATION_LOCK)})`.execute(connection).catch(() => {})
  }
}

async function applyBatch(connection: Kysely<DB>, batch: readonly string[], folder: URL): Promise<void> {
  const [first = '', last = first] = [batch[0], batch.at(-1)]
  if (isConcurrent(first)) return applyConcurrently(connection, first, folder)
  const migrator = new Migrator({ db: connection, provider: { getMigrations: () => readMigrations(folder) } })
  const { error } = await migrator.migrateTo(last)
  if (error !== undefined) throw error
}

/** If it is interrupted, it is not recorded, and the next start runs all of its statements again. */
async function applyConcurrently(connection: Db, name: string, folder: URL): Promise<void> {
  await sql`set statement_timeout = 0`.execute(connection)
  try {
    for (const statement of statementsOf(await readMigration(name, folder)))
      await sql.raw(`${LONG_STATEMENT}${statement}`).execute(connection)
  } finally {
    await sql`reset statement_timeout`.execute(connection)
  }
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
    connection,
  )
}
