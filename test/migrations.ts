import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Db } from '#platform/db/database.ts'

const FOLDER = new URL('../migrations/', import.meta.url)

export async function migrationNames(): Promise<string[]> {
  return (await readdir(FOLDER)).map((file) => file.replace(/\.sql$/, '')).sort()
}

/** The schema as an earlier version of the program left it. */
export async function migrateTo(db: Db, last: string): Promise<void> {
  const names = (await migrationNames()).filter((name) => name <= last)
  const migrations = names.map((name) => ({
    name,
    up: async (target: Db) =>
      void (await sql.raw(await readFile(new URL(`${name}.sql`, FOLDER), 'utf8')).execute(target)),
  }))
  const provider = { getMigrations: async () => Object.fromEntries(migrations.map(({ name, up }) => [name, { up }])) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  assert.equal(error, undefined)
}
