import assert from 'node:assert/strict'
import { appendFile, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { openDatabase } from '#platform/db/database.ts'
import { migrate, migrationNames } from '#platform/db/migrations/migrate.ts'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

describe('backup and restore', () => {
  let database: TestDatabase
  let room: string
  let settings: Record<string, string>
  const opened: TestDatabase[] = []

  async function emptyInstallation(name: string): Promise<Record<string, string>> {
    const empty = await createDatabase('empty')
    opened.push(empty)
    return { LICET_DATA: join(room, name), DATABASE_URL: empty.url }
  }

  const manifestOf = async (folder: string) => JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8'))

  before(async () => {
    room = await temporaryFolder()
    database = await createDatabase('empty')
    opened.push(database)
    settings = { LICET_DATA: join(room, 'data'), DATABASE_URL: database.url }
    assert.equal((await run(['company', 'create', '--name', 'Books', '--email', 'a@example.com'], settings)).code, 0)
    assert.equal((await run(['seed', '--products', '20', '--orders', '50'], settings)).code, 0)
    await mkdir(join(room, 'data/pictures/1000/1'), { recursive: true })
    await writeFile(join(room, 'data/pictures/1000/1/a.jpg'), 'picture')
    await writeFile(join(room, 'data/pictures/1000/1/.unfinished'), 'half')
    assert.equal((await run(['backup', join(room, 'first')], settings)).code, 0)
  })

  after(async () => {
    for (const { drop } of opened) await drop()
  })

  test('restore every row, file and sequence, and the secret', async () => {
    const other = await emptyInstallation('restored')
    const restored = await run(['restore', join(room, 'first'), '--json'], other)
    assert.equal(restored.code, 0, restored.err)
    assert.equal(JSON.parse(restored.out).files, 1)
    assert.equal(await readFile(join(room, 'restored/pictures/1000/1/a.jpg'), 'utf8'), 'picture')
    assert.deepEqual(await readdir(join(room, 'restored/pictures/1000/1')), ['a.jpg'])
    assert.equal(
      await readFile(join(room, 'restored/secret'), 'utf8'),
      await readFile(join(room, 'data/secret'), 'utf8'),
    )
    assert.equal((await run(['backup', join(room, 'second')], other)).code, 0)
    const [first, second] = [await manifestOf(join(room, 'first')), await manifestOf(join(room, 'second'))]
    assert.deepEqual(second.tables, first.tables)
    assert.deepEqual(second.sequences, first.sequences)
    assert.equal((await run(['seed', '--products', '2'], other)).code, 0)
  })

  test('bring what an older version has left to the present schema', async () => {
    const [old, other] = [await emptyInstallation('old'), await emptyInstallation('new')]
    const { db, close } = openDatabase({ connectionString: old.DATABASE_URL ?? '' }, { poolMax: 2 })
    await migrate(db, '0038_cancelled_orders')
    await sql`insert into companies (company_name, email, created_at, updated_at)
      values ('Books', 'a@example.com', now(), now())`.execute(db)
    await close()
    assert.equal((await run(['backup', join(room, 'older')], old)).code, 0)
    assert.equal((await manifestOf(join(room, 'older'))).migrations.at(-1), '0038_cancelled_orders')
    const restored = await run(['restore', join(room, 'older')], other)
    assert.equal(restored.code, 0, restored.err)
    assert.equal((await run(['seed', '--products', '2'], other)).code, 0)
    assert.equal((await run(['backup', join(room, 'newer')], other)).code, 0)
    const names = await migrationNames()
    assert.equal((await manifestOf(join(room, 'newer'))).migrations.at(-1), names.at(-1))
  })

  test('write nothing over what is there', async () => {
    const twice = await run(['backup', join(room, 'first')], settings)
    assert.deepEqual([twice.code, twice.out], [1, ''])
    assert.match(twice.err, /exists already/)
    const inside = await run(['backup', join(room, 'data/backup')], settings)
    assert.match(inside.err, /lies in the data folder, which is backed up itself/)
    assert.match((await run(['backup', '/proc/licet/backup'], settings)).err, /can't be created \(ENOENT\)/)
    await mkdir(join(room, 'mine.part'))
    await writeFile(join(room, 'mine.part/thesis.txt'), 'precious')
    const [one, another] = await Promise.all([
      run(['backup', join(room, 'mine')], settings),
      run(['backup', join(room, 'mine')], settings),
    ])
    assert.deepEqual([one.code, another.code].sort(), [0, 1])
    assert.match(one.err + another.err, /mine exists already/)
    assert.equal(await readFile(join(room, 'mine.part/thesis.txt'), 'utf8'), 'precious')
    assert.deepEqual((await readdir(room)).filter((name) => name.startsWith('mine')).sort(), ['mine', 'mine.part'])
    const full = await run(['restore', join(room, 'first')], settings)
    assert.match(full.err, /^The database is not empty: set DATABASE_URL to an empty one\.\n$/)
    const other = await emptyInstallation('used')
    await mkdir(join(room, 'used'))
    await writeFile(join(room, 'used/secret'), 'x'.repeat(40))
    assert.match((await run(['restore', join(room, 'first')], other)).err, /^There are files in .*used already/)
  })

  test('refuse an empty database, a folder that is no backup, and a backup that is damaged or newer', async () => {
    const other = await emptyInstallation('damaged')
    const none = await run(['backup', join(room, 'none')], other)
    assert.equal(none.err, 'The database is empty: there is nothing to back up.\n')
    assert.deepEqual(
      (await readdir(room)).filter((name) => name.startsWith('none')),
      [],
    )
    assert.match((await run(['restore', room], other)).err, /is not a complete backup: it has no backup\.json/)
    const copy = join(room, 'copy')
    const refusal = async (damage: () => Promise<unknown>) => {
      await rm(copy, { recursive: true, force: true })
      await cp(join(room, 'first'), copy, { recursive: true })
      await damage()
      const { code, err } = await run(['restore', copy], other)
      assert.equal(code, 1)
      return err
    }
    const damaged = 'The backup is damaged: orders.\n'
    assert.equal(await refusal(() => appendFile(join(copy, 'database/orders.copy.gz'), 'x')), damaged)
    assert.equal(await refusal(() => rm(join(copy, 'database/orders.copy.gz'))), damaged)
    assert.equal(
      await refusal(() => rm(join(copy, 'files/pictures/1000/1/a.jpg'))),
      'The backup is damaged: pictures/1000/1/a.jpg.\n',
    )
    const change = async (changes: object) =>
      writeFile(join(copy, 'backup.json'), JSON.stringify({ ...(await manifestOf(copy)), ...changes }))
    assert.match(await refusal(() => change({ migrations: ['9999_later'] })), /newer: restore it with that version/)
    const manifest = 'The backup is damaged: backup.json.\n'
    assert.equal(await refusal(() => writeFile(join(copy, 'backup.json'), '{')), manifest)
    assert.equal(await refusal(() => writeFile(join(copy, 'backup.json'), '{}')), manifest)
    assert.equal(await refusal(() => change({ files: ['../first/backup.json'] })), manifest)
    assert.equal(await refusal(() => change({ files: ['/etc/hostname'] })), manifest)
    const linked = async () => {
      await symlink(join(room, 'data/secret'), join(copy, 'files/link'))
      await change({ files: ['link'] })
    }
    assert.equal(await refusal(linked), 'The backup is damaged: link.\n')
  })

  test('say that a restore was interrupted', async () => {
    const other = await emptyInstallation('interrupted')
    await mkdir(join(room, 'interrupted'))
    await writeFile(join(room, 'interrupted/.restoring'), '')
    for (const command of [
      ['restore', join(room, 'first')],
      ['company', 'list'],
    ])
      assert.match((await run(command, other)).err, /^A restore into .*interrupted was interrupted: remove this folder/)
  })

  test('leave an empty database behind when a restore fails in the middle', async () => {
    const other = await emptyInstallation('failed')
    const copy = join(room, 'failing')
    await cp(join(room, 'first'), copy, { recursive: true })
    const manifest = await manifestOf(copy)
    const tables = manifest.tables.map((table: { name: string; rows: number }) =>
      table.name === 'orders' ? { ...table, rows: table.rows + 1 } : table,
    )
    await writeFile(join(copy, 'backup.json'), JSON.stringify({ ...manifest, tables }))
    await assert.rejects(run(['restore', copy], other), /orders has 50 rows instead of 51/)
    const client = new pg.Client({ connectionString: other.DATABASE_URL })
    await client.connect()
    const { rows } = await client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)
    await client.end()
    assert.deepEqual(rows, [])
    assert.equal((await run(['restore', join(room, 'first')], other)).code, 0)
  })
})
