import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { createDatabase } from '#test/server.ts'
import { openDatabase } from '../database.ts'
import { migrate, NewerSchemaError, readSchemaState } from './migrate.ts'

const FIRST = { '0001_films': 'create table films (id bigint primary key, title text);' }
const SECOND = { '0002_years': 'alter table films add column year integer;' }
const INDEX = {
  '0003_concurrently_films_by_year': `-- The list of a year.
drop index concurrently if exists films_by_year;
create index concurrently films_by_year on films (year);
`,
}
const LAST = { '0004_contract_0002_titles': 'alter table films drop column title;' }

async function folderOf(t: TestContext, migrations: Record<string, string>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-migrations-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(migrations)) await writeFile(join(folder, `${name}.sql`), text)
  return pathToFileURL(`${folder}/`)
}

async function emptyDatabase(t: TestContext) {
  const database = await createDatabase('empty')
  const open = () => openDatabase(database.connection, { poolMax: 2 })
  const handles = [open(), open()] as const
  t.after(async () => {
    for (const handle of handles) await handle.close()
    await database.drop()
  })
  return { db: handles[0].db, other: handles[1].db }
}

describe('an old program on a database that a newer one has migrated', () => {
  test('runs as long as the newer one has only added', async (t) => {
    const { db } = await emptyDatabase(t)
    const old = await folderOf(t, FIRST)
    await migrate(db, undefined, await folderOf(t, { ...FIRST, ...SECOND, ...INDEX }))
    assert.deepEqual(await migrate(db, undefined, old), [])
    const { missing, newer, unbearable } = await readSchemaState(db, old)
    assert.deepEqual({ missing, unbearable }, { missing: [], unbearable: [] })
    assert.deepEqual(newer, ['0002_years', '0003_concurrently_films_by_year'])
  })

  test('runs after something was taken away only if it does not use it any more', async (t) => {
    const { db } = await emptyDatabase(t)
    await migrate(db, undefined, await folderOf(t, { ...FIRST, ...SECOND, ...INDEX, ...LAST }))
    await assert.rejects(
      migrate(db, undefined, await folderOf(t, FIRST)),
      (error) => error instanceof NewerSchemaError && /it has 0004_contract_0002_titles\)/.test(error.message),
    )
    assert.deepEqual(await migrate(db, undefined, await folderOf(t, { ...FIRST, ...SECOND })), [])
  })

  test('does not run on the database of another line of versions', async (t) => {
    const { db } = await emptyDatabase(t)
    await migrate(db, undefined, await folderOf(t, { ...FIRST, ...SECOND }))
    for (const line of [
      { ...FIRST, '0002_actors': 'select 1;' },
      { ...FIRST, '0002_actors': 'select 1;', '0003_directors': 'select 1;' },
    ])
      await assert.rejects(migrate(db, undefined, await folderOf(t, line)), NewerSchemaError)
  })
})

describe('a migration outside of a transaction', () => {
  test('runs statement by statement, between those before and those after it', async (t) => {
    const { db } = await emptyDatabase(t)
    const all = { ...FIRST, ...SECOND, ...INDEX, ...LAST }
    assert.deepEqual(await migrate(db, undefined, await folderOf(t, all)), Object.keys(all))
    assert.deepEqual((await readSchemaState(db)).applied, Object.keys(all))
    const { rows } = await sql<{ valid: boolean }>`select indisvalid as valid from pg_index
      where indexrelid = 'films_by_year'::regclass`.execute(db)
    assert.deepEqual(rows, [{ valid: true }])
  })

  test('that fails is not recorded, and runs again as a whole', async (t) => {
    const { db } = await emptyDatabase(t)
    await migrate(db, undefined, await folderOf(t, { ...FIRST, ...SECOND }))
    await sql`insert into films (id, year) values (1, 1999), (2, 1999)`.execute(db)
    const unique = INDEX['0003_concurrently_films_by_year'].replace('create index', 'create unique index')
    const folder = await folderOf(t, { ...FIRST, ...SECOND, '0003_concurrently_films_by_year': unique })
    await assert.rejects(migrate(db, undefined, folder), /films_by_year/)
    assert.deepEqual((await readSchemaState(db, folder)).missing, ['0003_concurrently_films_by_year'])
    await sql`delete from films where id = 2`.execute(db)
    assert.deepEqual(await migrate(db, undefined, folder), ['0003_concurrently_films_by_year'])
  })

  test('runs once when two programs start together', async (t) => {
    const { db, other } = await emptyDatabase(t)
    const folder = await folderOf(t, { ...FIRST, ...SECOND, ...INDEX, ...LAST })
    const applied = await Promise.all([migrate(db, undefined, folder), migrate(other, undefined, folder)])
    assert.deepEqual(applied.map((names) => names.length).sort(), [0, 4])
  })
})
