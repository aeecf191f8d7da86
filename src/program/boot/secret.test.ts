import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type DatabaseHandle, openDatabase } from '#platform/db/database.ts'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { temporaryFolder } from '#test/start/program.ts'
import { run } from '#test/start/terminal.ts'
import { openVault, renewSecret } from './secret.ts'
import { StartError } from './start-error.ts'

let database: TestDatabase
let handle: DatabaseHandle
let dataFolder: string

before(async () => {
  database = await createDatabase()
  handle = openDatabase(database.connection, { poolMax: 10 })
})
beforeEach(async () => {
  dataFolder = await temporaryFolder()
  await handle.db.deleteFrom('installation').execute()
})
after(async () => {
  await handle.close()
  await database.drop()
})

const LONG = 'a secret that is long enough to be one'
const open = (secret?: string, folder = dataFolder) => openVault({ secret, dataFolder: folder }, handle.db)
const isStartError = (pattern: RegExp) => (error: unknown) => error instanceof StartError && pattern.test(error.message)

describe('the secret of an installation', () => {
  test('is created at the first start, readable by its owner only, and kept', async () => {
    const sealed = (await open()).seal('test', 'text')
    const file = join(dataFolder, 'secret')
    const secret = await readFile(file, 'utf8')
    assert.match(secret, /^[\w-]{43}\n$/)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.equal((await open()).open('test', sealed), 'text')
    assert.equal(await readFile(file, 'utf8'), secret)
    assert.deepEqual(await readdir(dataFolder), ['secret'])
    const { value } = await handle.db.selectFrom('installation').select('value').executeTakeFirstOrThrow()
    assert.ok(!value.includes(secret.trim()))
  })

  test('is the same for many processes that start at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      await handle.db.deleteFrom('installation').execute()
      const folder = await temporaryFolder()
      const vaults = await Promise.all(Array.from({ length: 20 }, () => open(undefined, folder)))
      assert.equal(new Set(vaults.map((vault) => vault.key('test').toString('hex'))).size, 1)
      assert.deepEqual(await readdir(folder), ['secret'])
    }
  })

  test('comes from LICET_SECRET, even if there is a file', async () => {
    await writeFile(join(dataFolder, 'secret'), 'another one that is long enough too\n')
    const vault = await open(LONG)
    await handle.db.deleteFrom('installation').execute()
    const elsewhere = await open(LONG, '/proc/nowhere')
    assert.deepEqual(vault.key('test'), elsewhere.key('test'))
    assert.equal(await readFile(join(dataFolder, 'secret'), 'utf8'), 'another one that is long enough too\n')
  })

  test('ends the start if it differs from that of the database, without printing either', async () => {
    await open(LONG)
    const other = 'another secret that is long enough'
    await assert.rejects(
      open(other),
      isStartError(/set up with another secret than the one in LICET_SECRET: .*secret renew/),
    )
    await assert.rejects(open(other), (error: Error) => !error.message.includes(other) && !error.message.includes(LONG))
    await assert.rejects(open(), isStartError(new RegExp(`than the one in ${join(dataFolder, 'secret')}: `)))
    await open(LONG)
  })

  test('is that of one of two machines which start at once with different secrets', async () => {
    const outcomes = await Promise.allSettled([open(LONG), open('another secret that is long enough')])
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  test('is not read from a file without one', async () => {
    const file = join(dataFolder, 'secret')
    for (const text of ['', '\n', 'short\n']) {
      await writeFile(file, text)
      await assert.rejects(open(), isStartError(/does not hold the secret that it should/))
      assert.equal(await readFile(file, 'utf8'), text)
    }
  })

  test('ends the start in one sentence if its file cannot be read or created', async () => {
    await mkdir(join(dataFolder, 'secret'))
    await assert.rejects(open(), isStartError(/can't be used \(EISDIR\): set LICET_SECRET instead\.$/))
    await assert.rejects(open(undefined, '/proc/nowhere'), isStartError(/can't be used \(ENOENT\)/))
  })

  test('can be renewed, if the right one is lost', async () => {
    const sealed = (await open(LONG)).seal('test', 'text')
    assert.equal(await renewSecret({ secret: undefined, dataFolder }, handle.db), true)
    assert.equal(await renewSecret({ secret: undefined, dataFolder }, handle.db), false)
    const vault = await open()
    assert.throws(() => vault.open('test', sealed))
    await assert.rejects(open(LONG), isStartError(/another secret/))
  })
})

describe('licet secret renew', () => {
  const settings = () => ({ PORT: '0', LICET_DATA: dataFolder, DATABASE_URL: database.url })

  test('lets a machine with another secret continue, and says what that costs', async () => {
    await open(LONG)
    const stopped = await run(['pictures'], settings())
    assert.deepEqual([stopped.code, stopped.out], [1, ''])
    assert.match(stopped.err, /^This database was set up with another secret [^\n]* run licet secret renew\.\n$/)
    const renewed = await run(['secret', 'renew'], settings())
    assert.equal(renewed.code, 0, renewed.err)
    assert.match(renewed.out, /recovery code/)
    assert.equal((await run(['pictures'], settings())).code, 0)
    assert.equal((await run(['secret', 'renew'], settings())).out, 'The secret is the right one already.\n')
    assert.deepEqual(JSON.parse((await run(['secret', 'renew', '--json'], settings())).out), { renewed: false })
    const back = await run(['secret', 'renew', '--json'], { ...settings(), LICET_SECRET: LONG })
    assert.deepEqual(JSON.parse(back.out), { renewed: true })
  })

  test('does not print the secret', async () => {
    await open(LONG)
    const { out, err } = await run(['secret', 'renew'], settings())
    const secret = (await readFile(join(dataFolder, 'secret'), 'utf8')).trim()
    assert.ok(!`${out}${err}`.includes(secret))
  })
})
