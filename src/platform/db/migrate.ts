import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { type Db, WITHOUT_LIMIT } from './database.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)

/** The database was migrated by a newer program than this one. */
export class NewerSchemaError extends Error {}

async function migrationNames(): Promise<string[]> {
  const files = await readdir(FOLDER)
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort()
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {}
  for (const name of await migrationNames()) {
    const text = await readFile(new URL(`${name}.sql`, FOLDER), 'utf8')
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

export type SchemaState = { applied: string[]; missing: string[]; unknown: string[] }

/** Compares the database with the migrations that this program knows. */
export async function readSchemaState(db: Db): Promise<SchemaState> {
  const [known, applied] = await Promise.all([migrationNames(), appliedMigrations(db)])
  return {
    applied,
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

/**
 * Brings the schema up to date, or to the state after one of the migrations, and returns what was applied. Two processes
 * at once take turns.
 */
export async function migrate(db: Db, last?: string): Promise<string[]> {
  const state = await readSchemaState(db)
  if (state.unknown.length > 0) {
    throw new NewerSchemaError(
      `The database was made by a newer version of licet (it has ${state.unknown.join(', ')}). Start that version, or restore a backup.`,
    )
  }
  if (state.missing.length === 0) return []
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
  const { error, results } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error !== undefined) throw error
  return (results ?? []).map((result) => result.migrationName)
}
